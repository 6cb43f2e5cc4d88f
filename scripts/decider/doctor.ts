import type { Client } from './client.ts'
import type { Command } from './command.ts'
import { ServiceError } from './errors.ts'

type Finding = { check: string; ok: boolean; detail: string }

export const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    takes: [],
    options: {},
    says: 'Check every binding, every secret and the scorer, and say what is wrong.',
    run: async call => {
      const client = await call.client()
      const data = [await edge(client), ...(await inside(client))]
      const rows = data.map(({ check, ok, detail }) => ({ '': ok ? 'ok' : 'FAIL', check, detail }))
      const ok = data.every(finding => finding.ok)
      return { ok, output: { kind: 'table', data: { ok, data }, rows, empty: '' } }
    },
  },
]

/** Whether requests are served at all: the doctor route itself answers even if they are not. */
const edge = async ({ url }: Client): Promise<Finding> => {
  const status = await fetch(`${url}/v1/models`, { signal: AbortSignal.timeout(10_000) }).then(
    answer => answer.status,
    () => null,
  )
  const check = 'edge'
  if (status === 401) return { check, ok: true, detail: `answers at ${url}` }
  if (status === null) return { check, ok: false, detail: `nothing answers at ${url}` }
  const why =
    status >= 500 ? 'one of the secrets below is malformed' : `${url} is not the base address of the service`
  return { check, ok: false, detail: `answered ${status} instead of 401: ${why}` }
}

const inside = async (client: Client): Promise<Finding[]> => {
  try {
    return (await client.call('GET', '/doctor')).data
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [{ check: 'admin API', ok: false, detail: error.message }]
  }
}
