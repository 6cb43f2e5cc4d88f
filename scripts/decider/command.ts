import { API_KEY_PREFIX } from '../../src/access/key-hint.ts'
import { present } from '../../src/present.ts'
import type { Answer, Client } from './client.ts'
import { UsageError } from './errors.ts'
import type { Output } from './output.ts'

/** One command: its name, its arguments and options, its help text, and what it does. */
export type Command = {
  /** Such as `keys create`. */
  name: string
  /** Positional arguments in order, all required. */
  takes: readonly string[]
  /** Options by name; `value` is `null` for a flag. */
  options: Readonly<Record<string, { value: string | null; says: string }>>
  /** The options that must be given. Of several sets, exactly one: the others mean something else. */
  needs?: readonly (readonly string[])[]
  says: string
  run(call: Call): Promise<Outcome>
}

export type Call = {
  args: readonly string[]
  options: Readonly<Record<string, string | boolean | undefined>>
  client: () => Promise<Client>
  env: NodeJS.ProcessEnv
  stdin: () => Promise<string | null>
}

/** The result of a command; `ok: false` is a result too, but ends with exit code 1. */
export type Outcome = { output: Output; ok?: boolean }

export const text = ({ options }: Call, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** An option of the set that was chosen from what the command needs. */
export const needed = (call: Call, name: string): string => present(text(call, name), `--${name}`)

/** Returns the service's answer. */
export const ask = async (call: Call, method: string, path: string, body?: object): Promise<Answer> =>
  (await call.client()).call(method, path, body)

/** An id on its way into a path. */
export const pathArg = (call: Call, at: number): string => encodeURIComponent(noKey(arg(call, at)))

/** What may go into an address. A key must not: addresses end up in logs. */
const noKey = (id: string): string => {
  if (id.startsWith(API_KEY_PREFIX))
    throw new UsageError('That is a key, which is a secret. Give its id: key_…')
  return id
}

export const arg = ({ args }: Call, at: number): string => {
  const value = args[at]
  // A shell passes an unset variable as an empty argument, which would change the path.
  if (!value) throw new UsageError('An argument is empty.')
  return value
}

/** Those of the parameters that are given, as a query string. */
export const queryOf = (parameters: Record<string, string | undefined>): string => {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  for (const [, value] of given) noKey(value)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** The options of a list that comes in pages. */
export const paged = {
  limit: { value: 'count', says: 'how many to list (default: 50)' },
  cursor: { value: 'cursor', says: 'continue where an earlier page ended' },
}

/** Which page of it, as a query string. */
export const pageOf = (call: Call): string =>
  queryOf({ limit: text(call, 'limit'), cursor: text(call, 'cursor') })
