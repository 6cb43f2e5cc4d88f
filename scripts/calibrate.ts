// `npm run calibrate -- examples.jsonl`: fits a profile on labelled examples, checks one on fresh ones, or only says how
// often the answers are right.
import { checkProfile } from './calibrate/check.ts'
import { fitProfile } from './calibrate/fit.ts'
import { FIT_AGAIN, readOptions, USAGE } from './calibrate/options.ts'
import { scoreAnswers } from './calibrate/score.ts'
import { bypassProxy } from './service/proxy.ts'

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

bypassProxy()
try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.kind === 'fit') await fitProfile(options)
  else if (options.kind === 'score') await scoreAnswers(options)
  else if (await checkProfile(options)) process.exitCode = FIT_AGAIN
} catch (error) {
  console.error(error instanceof Error ? error.message : USAGE)
  process.exitCode = 1
}
