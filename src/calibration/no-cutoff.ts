import type { CalibrationQuestionReport } from './wire.ts'

/** Whether a question was fitted, but every answer to it abstains. */
export const hasNoCutoff = ({ after }: CalibrationQuestionReport): boolean =>
  after !== null && after.cutoff === null

/** Whether the profile lets answers to a question through. */
export const hasCutoff = ({ after }: CalibrationQuestionReport): boolean =>
  after !== null && after.cutoff !== null

/** What to do where a fit found no cutoff, in lines for a terminal. */
export const NO_CUTOFF = `No cutoff: the surest answers are wrong too often for the target, or too few to show that they are not, so
every answer abstains. Look at the surest wrong answers first, which npm run calibrate lists for the same file with
--check: their labels may be mistaken. If few are wrong, label more examples. Otherwise put the question better, above
all by describing its options (docs/questions.md), or accept more errors. A fit made after such a look promises less:
confirm it with --check on fresh labels.`
