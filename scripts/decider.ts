// `npm run decider -- …`: operating the service from a terminal.
import { text } from 'node:stream/consumers'
import { run } from './decider/cli.ts'

// A key is shown once, and a list of keys put in the old one's place: what found no room, on a full disk for one, must
// not end as what was kept. Who reads no further has read what they wanted.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return
  console.error(`The output could not be written: ${code}. What the command changed is changed.`)
  process.exit(1)
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  stdin: () => (process.stdin.isTTY ? Promise.resolve('') : text(process.stdin)),
  out: line => console.log(line),
  err: line => console.error(line),
})
