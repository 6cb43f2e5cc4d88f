import { type Checks, type Finding, findingsOf } from '../../src/admin/finding.ts'
import { scorerChecks } from '../../src/admin/scorer-checks.ts'
import type { Client } from './client.ts'
import { type Call, type Command, text } from './command.ts'
import { ServiceError } from './errors.ts'
import { scorerAddress } from './scorer-address.ts'
import { scorerSecrets } from './scorer-secrets.ts'

export const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    takes: [],
    options: {
      scorer: {
        value: 'URL',
        says: 'check only the scorer at this address, from here, with each key in SCORER_SECRET',
      },
    },
    says: 'Check the bindings, the secrets and the scorer, and say what is wrong.',
    run: async call => {
      const data = await findings(call)
      const rows = data.map(({ check, ok, detail }) => ({ '': ok ? 'ok' : 'FAIL', check, detail }))
      const ok = data.every(finding => finding.ok)
      return { ok, output: { kind: 'table', data: { ok, data }, rows, empty: '' } }
    },
  },
]

const findings = async (call: Call): Promise<Finding[]> => {
  if (text(call, 'scorer') === undefined) {
    const client = await call.client()
    return [await edge(client), ...(await inside(client))]
  }
  return findingsOf(checksWith(scorerAddress(call), scorerSecrets(call)))
}

/** With each key of a list: while keys are rotated, the scorer has several, and the edge signs with one of them. */
const checksWith = (scorer: string, keys: readonly string[]): Checks => {
  const checks: Checks = {}
  for (const key of keys) {
    const [id] = key.split(':')
    // Only the signature depends on the key.
    for (const [check, look] of Object.entries(scorerChecks(scorer, key)))
      checks[check === 'scorer signature' ? `${check} by ${id}` : check] = look
  }
  return checks
}

/** Whether requests are served at all: the doctor route itself answers even if they are not. */
const edge = async ({ url }: Client): Promise<Finding> => {
  const signal = AbortSignal.timeout(10_000)
  const answer = await fetch(`${url}/v1/models`, { signal, redirect: 'manual' }).catch(() => null)
  const check = 'edge'
  if (answer === null) return { check, ok: false, detail: `nothing answers at ${url}` }
  if (answer.status === 401) return { check, ok: true, detail: `answers at ${url}` }
  return { check, ok: false, detail: `answered ${answer.status} instead of 401: ${whyNot401(answer, url)}` }
}

const whyNot401 = ({ status, headers }: Response, url: string): string => {
  // Every answer from Decider has this header.
  const isOfEdge = headers.has('decider-request-id')
  if (!isOfEdge && (status === 403 || status === 429 || status >= 500))
    return 'not by the service, but by what is in front, such as Cloudflare, which also refuses what it takes for an attack'
  return status >= 500
    ? 'one of the secrets or variables below is malformed'
    : `${url} is not the base address of the service`
}

const inside = async (client: Client): Promise<Finding[]> => {
  try {
    return (await client.call('GET', '/doctor')).data
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [{ check: 'admin API', ok: false, detail: error.message }]
  }
}
