// `npm run decider -- …`: operating the service from a terminal.
import { text } from 'node:stream/consumers'
import { run } from './decider/cli.ts'

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  stdin: () => (process.stdin.isTTY ? Promise.resolve('') : text(process.stdin)),
  out: line => console.log(line),
  err: line => console.error(line),
})
