import { present } from '../../src/present.ts'
import type { Command } from './command.ts'

export const overview = (
  commands: readonly Command[],
): string => `Usage: npm run decider -- <command> [options]

${inTwoColumns(commands.map(command => [syntaxOf(command), command.says]))}

Every command accepts
  --json        print the answer as JSON
  --url <URL>   address of the service (default: DECIDER_URL, or this machine with the EDGE_PORT of \`npm run dev\`)
  --help        show help for the command, or list the commands of a group such as keys

The admin secret comes from DECIDER_ADMIN_SECRET. For a service started by \`npm run dev\` it is found automatically, in DATA_DIR if that is set.
Exit codes: 0 done, 1 the service refused or something is wrong, 2 the command line or a setting is wrong.`

export const helpFor = (command: Command): string => {
  const { options, needs = [], says } = command
  const mayBeLeftOut = Object.keys(options).some(name => !needs.flat().includes(name))
  const usage = `Usage: npm run decider -- ${syntaxOf(command)}${mayBeLeftOut ? ' [options]' : ''}`
  const each = Object.entries(options).map(([name, { says }]) => [optionOf(command, name), says] as const)
  return [usage, says, ...(each.length === 0 ? [] : [inTwoColumns(each)])].join('\n\n')
}

/** A command with all that it cannot do without. */
const syntaxOf = (command: Command): string => {
  const { name, takes, needs = [] } = command
  const sets = needs.map(set => set.map(option => optionOf(command, option)).join(' '))
  const options = sets.length > 1 ? `(${sets.join(' | ')})` : sets.join('')
  return [name, ...takes.map(word => `<${word}>`), options].join(' ').trimEnd()
}

const optionOf = ({ options }: Command, name: string): string => {
  const { value } = present(options[name], `--${name}`)
  return value === null ? `--${name}` : `--${name} <${value}>`
}

const WIDEST_LEFT_COLUMN = 40

/** What is too long for the left column has a line of its own. */
const inTwoColumns = (lines: readonly (readonly [string, string])[]): string => {
  const width = Math.min(WIDEST_LEFT_COLUMN, Math.max(...lines.map(([left]) => left.length)))
  return lines
    .map(([left, right]) => {
      const room = ' '.repeat(width + 4)
      return left.length > width ? `  ${left}\n${room}${right}` : `  ${left.padEnd(width)}  ${right}`
    })
    .join('\n')
}
