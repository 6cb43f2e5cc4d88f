import type { Answer } from './client.ts'
import { ask, type Command, needed, paged, pageOf, pathArg, text } from './command.ts'
import { listOf, type Row } from './output.ts'

const rowOf = (key: Answer): Row => ({
  key: key.id,
  kind: key.kind,
  name: key.name,
  begins: key.hint,
  'requests/s': key.limits.requests_per_second,
  'tokens/min': key.limits.tokens_per_minute,
  expires: key.expires_at,
  revoked: key.revoked_at && `${key.revoked_at} (${key.revoked_because})`,
})

export const keyCommands: readonly Command[] = [
  {
    name: 'keys create',
    takes: ['account'],
    options: {
      kind: { value: 'kind', says: 'standard (200 requests per second; the default) or playground (5)' },
      name: { value: 'name', says: 'what to call it' },
      expires: { value: 'time', says: 'when it expires, such as 2027-01-31T00:00:00Z (default: never)' },
    },
    says: 'Create an API key and print it. It is shown only once.',
    run: async call => {
      const order = { kind: text(call, 'kind'), name: text(call, 'name'), expires_at: text(call, 'expires') }
      const made = await ask(call, 'POST', `/accounts/${pathArg(call, 0)}/keys`, order)
      const note = `Key id: ${made.id}. The key itself is shown only this once and kept nowhere.`
      return { output: { kind: 'value', data: made, value: made.key, note } }
    },
  },
  {
    name: 'keys list',
    takes: ['account'],
    options: paged,
    says: 'List the keys of an account, newest first, including revoked ones.',
    run: async call => {
      const answer = await ask(call, 'GET', `/accounts/${pathArg(call, 0)}/keys${pageOf(call)}`)
      return { output: listOf(answer, rowOf, 'The account has no keys.') }
    },
  },
  {
    name: 'keys show',
    takes: ['key'],
    options: {},
    says: 'Show a key, and whose it is: all it needs is an id as it stands in the log.',
    run: async call => {
      const key = await ask(call, 'GET', `/keys/${pathArg(call, 0)}`)
      const owner = { account: key.account_id, 'account name': key.account_name }
      return { output: { kind: 'record', data: key, fields: { ...owner, ...rowOf(key) } } }
    },
  },
  {
    name: 'keys revoke',
    takes: ['account', 'key'],
    options: {},
    says: 'Revoke a key permanently. Takes effect at once.',
    run: async call => {
      const path = `/accounts/${pathArg(call, 0)}/keys/${pathArg(call, 1)}/revoke`
      const key = await ask(call, 'POST', path)
      return { output: { kind: 'record', data: key, fields: rowOf(key) } }
    },
  },
  {
    name: 'keys set-rates',
    takes: ['account', 'key'],
    options: {
      requests: { value: 'per second', says: 'reserved requests per second, or "default"' },
      tokens: { value: 'per minute', says: 'reserved input tokens per minute, or "default"' },
    },
    needs: [['requests', 'tokens']],
    says: 'Reserve capacity for a key. Takes effect at once.',
    run: async call => {
      const rates = {
        requests_per_second: rate(needed(call, 'requests')),
        tokens_per_minute: rate(needed(call, 'tokens')),
      }
      const path = `/accounts/${pathArg(call, 0)}/keys/${pathArg(call, 1)}/rates`
      const key = await ask(call, 'PUT', path, rates)
      return { output: { kind: 'record', data: key, fields: rowOf(key) } }
    },
  },
]

/** Anything that is not a number is left for the service to refuse. */
const rate = (given: string): number | string | null => {
  if (given === 'default') return null
  return /^\d+$/.test(given) ? Number(given) : given
}
