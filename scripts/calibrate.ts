// `npm run calibrate -- examples.jsonl`: fits a profile on labelled examples.
import { fitProfile } from './calibrate/fit.ts'
import { readOptions, USAGE } from './calibrate/options.ts'

if (process.argv.includes('--help')) {
  console.log(USAGE)
  process.exit()
}
// Printing may fail, for example on a full disk or when the reader has closed the pipe. What was paid for is kept all
// the same.
process.stderr.on('error', () => {})
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return
  console.error(`The output could not be written: ${code}.`)
  process.exitCode = 1
})

try {
  await fitProfile(readOptions(process.argv.slice(2), process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : USAGE)
  process.exitCode = 1
}
