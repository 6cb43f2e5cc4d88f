import { join } from 'node:path'
import { readPrivate, type Secrets } from '../service/secrets.ts'
import { serviceUrl } from '../service-url.ts'
import { ServiceError, UsageError } from './errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: what the service answers is shown, not relied on
export type Answer = any

export type Client = {
  url: string
  call(method: string, path: string, body?: object): Promise<Answer>
}

const TIMEOUT_MS = 30_000

/** Speaks to the service that DECIDER_URL names with the secret in DECIDER_ADMIN_SECRET. */
export const connect = async (env: NodeJS.ProcessEnv, urlGiven?: string): Promise<Client> => {
  const url = serviceUrl(urlGiven, env)
  // As fetch would: a secret that comes from a file often ends its line.
  const secret = (env.DECIDER_ADMIN_SECRET ?? (await localSecret(env, url)))?.trim()
  if (!secret) throw new UsageError('Set DECIDER_ADMIN_SECRET to the admin secret of the service.')
  // What documents print for it is none, and would be told as a service that does not answer.
  if (!/^[\x20-\xff]+$/.test(secret)) throw new UsageError('DECIDER_ADMIN_SECRET holds what no header can.')
  return {
    url,
    call: async (method, path, body) => {
      const answer = await ask(`${url}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const read = await answer.json().catch(() => null)
      if (!answer.ok) throw new ServiceError(explain(answer.status, read), read)
      // Every answer of a Decider has one; a page that is served under any path has not.
      if (!answer.headers.has('decider-request-id'))
        throw new ServiceError(`What answers at ${url} is not a Decider.`)
      if (read === null) throw new ServiceError('The answer ended early: what was asked for may be done.')
      return read
    },
  }
}

const ask = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init)
  } catch {
    throw new ServiceError(`${new URL(url).origin} does not answer. Is the service running there?`)
  }
}

const explain = (status: number, answer: unknown): string => {
  const error = (answer as { error?: { code?: string; message?: string } } | null)?.error
  if (status === 404 && error?.message === 'There is nothing at this path.') {
    return 'The admin API is off there: set ADMIN_SECRET at the service.'
  }
  return error?.message ? `${error.message} (${error.code})` : `The service answered ${status}.`
}

/** What `npm run dev` made for this machine, used only with a service on this machine. */
const localSecret = async (env: NodeJS.ProcessEnv, url: string): Promise<string | undefined> => {
  if (!/^http:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(url)) return undefined
  const kept = await readPrivate<Partial<Secrets>>(join(env.DATA_DIR || '.decider', 'secrets.json'))
  return kept?.ADMIN_SECRET
}
