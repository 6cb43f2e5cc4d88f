import { parseArgs } from 'node:util'
import { readArgs } from '../command-line.ts'
import { SettingError } from '../service/settings.ts'
import { legible, legibleJson } from '../terminal.ts'
import { accountCommands } from './accounts.ts'
import { activityCommands } from './activity.ts'
import { cacheCommands } from './cache.ts'
import { connect } from './client.ts'
import type { Command } from './command.ts'
import { doctorCommands } from './doctor.ts'
import { ServiceError, UsageError } from './errors.ts'
import { helpFor, overview } from './help.ts'
import { keyCommands } from './keys.ts'
import { unmetNeedOf } from './needs.ts'
import { write } from './output.ts'
import { signingKeyCommands } from './signing-keys.ts'

/** Options of every command. */
const COMMON = { json: { type: 'boolean' }, url: { type: 'string' }, help: { type: 'boolean' } } as const

const commands: readonly Command[] = [
  ...accountCommands,
  ...keyCommands,
  ...activityCommands,
  ...signingKeyCommands,
  ...doctorCommands,
  ...cacheCommands,
]

export type Terminal = {
  env: NodeJS.ProcessEnv
  /** Whether a person reads the output, or a program. */
  isTerminal: boolean
  /** What was piped in; null if nothing is. */
  stdin: () => Promise<string | null>
  out: (line: string) => void
  err: (line: string) => void
}

/** Runs one command line and returns the exit code of the process. */
export const run = async (args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> => {
  const asJson = args.includes('--json')
  try {
    return await obey(args, terminal)
  } catch (error) {
    if (error instanceof UsageError || error instanceof SettingError) {
      terminal.err(error.message)
      return 2
    }
    if (!(error instanceof ServiceError)) throw error
    terminal.err(asJson && error.answer !== null ? legibleJson(error.answer) : legible(error.message))
    return 1
  }
}

const obey = async (
  args: readonly string[],
  { env, isTerminal, stdin, out, err }: Terminal,
): Promise<0 | 1> => {
  // Options may stand before the command, whose own options are known only once it is found.
  const words = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: COMMON,
  }).positionals
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))
  if (command === undefined) {
    // All commands, or those of a group such as `keys`.
    const begun = commands.filter(({ name }) => name.startsWith(words.map(word => `${word} `).join('')))
    if (begun.length > 0 && (args.length === 0 || args.includes('--help'))) {
      out(overview(begun))
      return 0
    }
    const [first = ''] = words
    const group = commands.filter(({ name }) => name.startsWith(`${first} `))
    const why = words.length > 0 && begun.length > 0 ? `${first} is a group of commands.` : 'Unknown command.'
    throw new UsageError(`${why}\n\n${overview(group.length > 0 ? group : commands)}`)
  }
  const own = Object.entries(command.options).map(
    ([name, { value }]) => [name, { type: value === null ? 'boolean' : 'string' } as const] as const,
  )
  const { values, positionals } = readArgs(args, { ...Object.fromEntries(own), ...COMMON }, why => {
    throw new UsageError(`${why}.\n\n${helpFor(command)}`)
  })
  if (values.help === true) {
    out(helpFor(command))
    return 0
  }
  const given = positionals.slice(command.name.split(' ').length)
  const missing = command.takes[given.length]
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing.\n\n${helpFor(command)}`)
  const extra = given[command.takes.length]
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}\n\n${helpFor(command)}`)
  const unmet = unmetNeedOf(command, values)
  if (unmet !== null) throw new UsageError(`${unmet}\n\n${helpFor(command)}`)
  const url = typeof values.url === 'string' ? values.url : undefined
  const { output, ok = true } = await command.run({
    args: given,
    options: values,
    client: () => connect(env, url),
    env,
    stdin,
  })
  const written = write(output, values.json === true ? 'json' : isTerminal ? 'terminal' : 'lines')
  // An empty list has no lines: a program would take an empty one for an entry.
  if (written !== '') out(written)
  // Apart from the output itself, which can then be piped on.
  if (output.note !== undefined && values.json !== true) err(legible(output.note))
  return ok ? 0 : 1
}
