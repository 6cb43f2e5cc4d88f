import type { Command } from './command.ts'

export const overview = (commands: readonly Command[]): string => {
  const usages = commands.map(({ name, takes, says }) => [
    [name, ...takes.map(word => `<${word}>`)].join(' '),
    says,
  ])
  const width = Math.max(...usages.map(([usage = '']) => usage.length))
  return `Usage: npm run decider -- <command> [options]

${usages.map(([usage = '', says]) => `  ${usage.padEnd(width)}  ${says}`).join('\n')}

Every command takes
  --json        answer in JSON
  --url <URL>   where the service is (DECIDER_URL, else http://127.0.0.1:8787)
  --help        say more about the command

The admin secret comes from DECIDER_ADMIN_SECRET; for a service started by \`npm run dev\` it is found by itself.
Exit codes: 0 done, 1 the service refused or something is wrong, 2 the command line or a setting is wrong.`
}

export const helpFor = ({ name, takes, options, says }: Command): string => {
  const words = [name, ...takes.map(word => `<${word}>`)].join(' ')
  const lines = Object.entries(options).map(
    ([option, { value, says }]) => [`--${option}${value === null ? '' : ` <${value}>`}`, says] as const,
  )
  const width = Math.max(0, ...lines.map(([usage]) => usage.length))
  const listed = lines.map(([usage, says]) => `  ${usage.padEnd(width)}  ${says}`).join('\n')
  return `Usage: npm run decider -- ${words}${lines.length > 0 ? ' [options]' : ''}\n\n${says}${listed && `\n\n${listed}`}`
}
