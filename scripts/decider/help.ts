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
  const usage = `Usage: npm run decider -- ${syntaxOf(command)}`
  const options = Object.entries(command.options).map(
    ([name, { value, says }]) => [value === null ? `--${name}` : `--${name} <${value}>`, says] as const,
  )
  if (options.length === 0) return `${usage}\n\n${command.says}`
  return `${usage} [options]\n\n${command.says}\n\n${inTwoColumns(options)}`
}

const syntaxOf = ({ name, takes }: Command): string => [name, ...takes.map(word => `<${word}>`)].join(' ')

const inTwoColumns = (lines: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...lines.map(([left]) => left.length))
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
