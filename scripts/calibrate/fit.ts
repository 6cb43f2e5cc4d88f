import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { calibrationBody } from '../../src/calibration/examples-file.ts'
import { hasCutoff } from '../../src/calibration/no-cutoff.ts'
import { legible } from '../terminal.ts'
import { cost } from './cost.ts'
import { readLines } from './examples.ts'
import type { FitOptions } from './options.ts'
import { page } from './page.ts'
import { progressOn } from './progress.ts'
import { explain, lineIn } from './refusal.ts'
import { table } from './table.ts'
import { requestCalibration } from './upload.ts'

/** Turns labelled examples into a signed profile, a table and an offline report. */
export const fitProfile = async (options: FitOptions): Promise<void> => {
  const lines = await readLines(options.file)
  const body = calibrationBody(`[${lines.map(line => line.text).join(',')}]`, options)
  const progress = progressOn(process.stderr)
  const outcome = await requestCalibration(options, body, progress).finally(progress.end)
  if (outcome.kind === 'refused') {
    const hint =
      outcome.code === 'too_few_examples'
        ? '\nWith --score, it only says how often the answers to these are right.'
        : ''
    throw new Error(explain(outcome, lineIn(outcome.param, lines)) + hint)
  }
  const { calibration, seconds } = outcome
  console.log(table(calibration))
  console.log(`\n${cost(calibration.n_examples, seconds, calibration.usage)}`)
  // The profile was paid for: where its file cannot be written, often neither can the report, which contains it too.
  try {
    const earlier = existsSync(options.profile)
    // Without a line end: a program that sends the file as it is would be refused.
    await writeFile(options.profile, calibration.profile)
    const use = calibration.questions.some(hasCutoff)
      ? `send it as "calibration", with "model": "${legible(calibration.model)}"`
      : 'it calibrates probabilities, but answers nothing: no question has a cutoff'
    console.log(`Profile: ${options.profile} (${use})`)
    if (earlier) console.log('  It replaced an earlier profile.')
  } catch (error) {
    const { message } = Object(error)
    console.error(`The profile could not be written (${message}). It is:\n${legible(calibration.profile)}`)
    process.exitCode = 1
  }
  // Of a full disk, the system's own message would not say which file found no room.
  await writeFile(options.report, page(calibration, new Date())).catch(({ message }: Error) => {
    throw new Error(`The report could not be written (${message}).`)
  })
  console.log(`Report: ${options.report}`)
}
