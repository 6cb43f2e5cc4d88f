// `npm run calibrate -- examples.jsonl`: turns labelled examples into a signed profile, a table and an offline report.
import { writeFile } from 'node:fs/promises'
import { readExamples } from './calibrate/examples.ts'
import { readOptions, USAGE } from './calibrate/options.ts'
import { page } from './calibrate/page.ts'
import { progressOn } from './calibrate/progress.ts'
import { explain } from './calibrate/refusal.ts'
import { table } from './calibrate/table.ts'
import { requestCalibration } from './calibrate/upload.ts'

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
  const options = readOptions(process.argv.slice(2), process.env)
  const body = await readExamples(options)
  const progress = progressOn(process.stderr)
  const outcome = await requestCalibration(options, body.text, progress).finally(progress.end)
  if (outcome.kind === 'refused') throw new Error(explain(outcome, body.lineOf))
  const { calibration, seconds } = outcome
  console.log(table(calibration))
  console.log(`\n${calibration.n_examples} examples in ${seconds.toFixed(1)} s, ${cost(calibration.usage)}.`)
  // The profile was paid for, and the report contains it too: if one cannot be written, the other still is.
  try {
    // Without a line end: a program that sends the file as it is would be refused.
    await writeFile(options.profile, calibration.profile)
    console.log(`Profile: ${options.profile} (send it as "calibration" with decisions)`)
  } finally {
    await writeFile(options.report, page(calibration, new Date()))
    console.log(`Report: ${options.report}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : USAGE)
  process.exitCode = 1
}

function cost({ input_tokens, cost_usd }: { input_tokens: number; cost_usd: number }): string {
  return `${input_tokens.toLocaleString('en')} tokens, $${cost_usd.toFixed(6)}`
}
