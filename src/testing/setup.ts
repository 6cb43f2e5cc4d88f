// A working edge for tests, inside workerd: the real app between a scorer and a gatekeeper that do as told.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Overloaded, Rates, Refused, Spent } from '../access/admission.ts'
import { generateApiKey } from '../access/api-key.ts'
import type { ActivityRecord } from '../activity/record.ts'
import { buildApp } from '../app.ts'
import type { Fault } from '../fault.ts'
import { serves } from '../http/served-route.ts'
import { newProfileKey } from '../profiles/profile-keys.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { Services } from '../services.ts'
import { scorerThatPrefersTheFirst } from './scorer.ts'

export const RATES: Rates = {
  limitRequests: 200,
  remainingRequests: 399,
  resetRequestsSeconds: 1,
  limitTokens: 20_000_000,
  remainingTokens: 19_999_000,
  resetTokensSeconds: 60,
}
export const SETTLED_RATES: Rates = { ...RATES, remainingTokens: 19_999_990 }
export const OWNER = { keyId: 'key_test', accountId: 'acct_test' }
export const apiKey = generateApiKey(count => new Uint8Array(count).fill(7))
export const profileKey = newProfileKey('k1')
export const NOW = Date.UTC(2026, 10, 21, 12)

export type Given = {
  admission?: Refused
  identity?: Overloaded
  admissionTakesMs?: number
  scorer?: Partial<Scorer>
  modelAliases?: Services['modelAliases']
  now?: () => number
  pause?: Services['pause']
  services?: () => Services
}

export const setup = (given: Given = {}) => {
  const admitted: { keyHash: string; tokens: number }[] = []
  const settled: { reservation: string; spent: Spent }[] = []
  const delivered: string[] = []
  const recorded: ActivityRecord[] = []
  const faults: Fault[] = []
  const services: Services = {
    gatekeeper: {
      identify: async keyHash => given.identity ?? env.GATE.getByName(keyHash).identify(),
      admit: async (keyHash, tokens) => {
        if (given.admissionTakesMs !== undefined) await scheduler.wait(given.admissionTakesMs)
        admitted.push({ keyHash, tokens })
        const reservation = `reservation ${admitted.length}`
        const settle = async (spent: Spent) => {
          settled.push({ reservation, spent })
          return {
            rates: SETTLED_RATES,
            delivered: scheduler.wait(1).then(() => void delivered.push(reservation)),
          }
        }
        return given.admission ?? { kind: 'admitted', ...OWNER, rates: RATES, settle, cancel: async () => {} }
      },
    },
    activity: {
      record: async entry => {
        recorded.push(entry)
      },
    },
    scorer: { ...scorerThatPrefersTheFirst(), ...given.scorer },
    modelAliases: given.modelAliases ?? new Map(),
    // The older one verifies, but signs nothing.
    profileKeys: [profileKey, newProfileKey('k0')],
    tenantTag: accountId => `tag of ${accountId}`,
    leakReporterKeys: async () => ({ kind: 'unknown' }),
    now: given.now ?? (() => NOW),
    pause: given.pause ?? (async () => {}),
    randomBytes: count => crypto.getRandomValues(new Uint8Array(count)),
    report: fault => {
      faults.push(fault)
    },
  }
  const app = buildApp(given.services ?? (() => services), services)

  const begin = (path: string, init: RequestInit) => {
    const context = createExecutionContext()
    return { context, answer: app.fetch(new Request(`https://decider.test${path}`, init), env, context) }
  }
  const fetch = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const { context, answer } = begin(path, init)
    const response = await answer
    await waitOnExecutionContext(context)
    return response
  }
  /** Sends a request and hangs up at once: waits only for what the Worker asked time for. */
  const abandon = (path: string, init: RequestInit = {}): Promise<void> =>
    waitOnExecutionContext(begin(path, init).context)
  const authorized = { authorization: `Bearer ${apiKey}` }
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    return fetch(path, { method: 'POST', body: sent, headers: { ...authorized, ...headers } })
  }
  const get = (path: string) => fetch(path, { headers: authorized })
  /** Every route there is, each once. */
  const routes = app.routes.filter(
    (route, at, all) =>
      serves(route) &&
      at === all.findIndex(({ method, path }) => method === route.method && path === route.path),
  )
  return {
    fetch,
    abandon,
    post,
    get,
    routes,
    admitted,
    settled,
    delivered,
    recorded,
    faults,
    services,
  }
}
