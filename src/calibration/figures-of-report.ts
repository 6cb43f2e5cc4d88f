import { heldOutCounts } from './held-out.ts'
import type { CalibrationQuestionReport } from './wire.ts'

/** A figure before the calibration and, if there is another one, after it. */
export type Change = { before: number; after: number | null }

/** What a table shows of a question; null where there is nothing to show. */
export const figuresOf = ({ before, after, curves }: CalibrationQuestionReport) => ({
  accuracy: {
    before: before.accuracy,
    // Only offsets change how many answers are right.
    after: after === null || after.accuracy === before.accuracy ? null : after.accuracy,
  },
  commonestLabel: (after && curves?.commonest_label) ?? null,
  nll: { before: before.nll, after: after?.nll ?? null },
  ece: { before: before.ece, after: after?.ece ?? null },
  temperature: after?.temperature ?? null,
  cutoff: after && (after.cutoff ?? ('none' as const)),
  coverage: after?.coverage ?? null,
  // Some folds may have certified a cutoff of their own, but without one the profile answers nothing.
  check: after === null || after.cutoff === null ? null : heldOutCounts(after),
})
