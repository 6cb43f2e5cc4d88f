// `npm run decider -- …`: operating the service from a terminal.
import { fstatSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { run } from './decider/cli.ts'
import { bypassProxy } from './service/proxy.ts'

// A key is shown once, and a printed list of keys replaces the old one. Output that could not be written, for example
// on a full disk, must not look like success. A reader that closes the pipe has read what it wanted.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return
  console.error(`The output could not be written: ${code}. Any change the command made has taken effect.`)
  process.exit(1)
})

const WAIT_BEFORE_HINT_MS = 3_000

bypassProxy()
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  stdin: piped,
  out: line => console.log(line),
  err: line => console.error(line),
})

/** Null from a terminal or /dev/null. */
async function piped(): Promise<string | null> {
  if (fstatSync(0).isCharacterDevice()) return null
  // Some programs start others with an input that never ends.
  const waiting = setTimeout(
    () => console.error('Reading the list from standard input. To use PROFILE_KEYS instead, add </dev/null.'),
    WAIT_BEFORE_HINT_MS,
  )
  return text(process.stdin).finally(() => clearTimeout(waiting))
}
