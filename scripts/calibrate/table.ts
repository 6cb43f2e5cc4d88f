import { heldOutCounts } from '../../src/calibration/held-out.ts'
import { shortName } from '../../src/calibration/short-name.ts'
import type {
  CalibrationQuestionReport,
  CalibrationResponse,
  MetricsAfter,
} from '../../src/calibration/wire.ts'
import { inColumns, legible } from '../terminal.ts'

const HEAD = [
  'question',
  'labels',
  'status',
  'accuracy',
  'commonest label',
  'log loss',
  'ECE',
  'temperature',
  'cutoff',
  'answered',
  'wrong when answered (out-of-fold check)',
]

/** The report for a terminal. Arrows lead from raw to calibrated figures. */
export const table = ({ model, target_error, questions, warnings = [] }: CalibrationResponse): string => {
  const uncertified = questions.some(({ after }) => after !== null && after.cutoff === null)
  return [
    `${model}, target error ${percent(target_error)}`,
    inColumns([HEAD, ...questions.map(rowOf)]),
    ...(warnings.length > 0 ? [warnings.map(warning => `Warning: ${legible(warning)}`).join('\n')] : []),
    ...(uncertified ? [UNCERTIFIED] : []),
  ].join('\n\n')
}

export const UNCERTIFIED = `No cutoff: the surest answers are wrong too often for the target, or too few to show that they are not, so
every answer abstains. Look at the surest wrong answers first, which --check lists for the same file: their labels may
be mistaken. If few are wrong, label more examples; otherwise accept more errors. A fit made after such a look promises
less: confirm it with --check on fresh labels.`

const rowOf = ({ question_ids, status, before, after, curves }: CalibrationQuestionReport): string[] => {
  const counted = [named(question_ids), String(before.n), status]
  if (after === null)
    return [
      ...counted,
      percent(before.accuracy),
      '',
      before.nll.toFixed(3),
      before.ece.toFixed(3),
      '',
      '',
      '',
      '',
    ]
  return [
    ...counted,
    changed(before.accuracy, after.accuracy),
    curves === undefined ? '' : percent(curves.commonest_label),
    `${before.nll.toFixed(3)} → ${after.nll.toFixed(3)}`,
    `${before.ece.toFixed(3)} → ${after.ece.toFixed(3)}`,
    after.temperature.toFixed(2),
    ...answered(after),
  ]
}

/** Only offsets change how many answers are right. */
const changed = (before: number, after: number): string =>
  before === after ? percent(after) : `${percent(before)} → ${percent(after)}`

export const named = (ids: readonly string[]): string => legible(shortName(ids))

const answered = (after: MetricsAfter): string[] => {
  // Some folds may have certified a cutoff of their own, but the profile has none and answers nothing.
  if (after.cutoff === null) return ['none', percent(0), '']
  return [after.cutoff.toFixed(3), percent(after.coverage), wrongOf(heldOutCounts(after))]
}

/** The share of answers that are wrong, with its counts. */
export const wrongOf = ({ wrong, answered }: { wrong: number; answered: number }): string =>
  answered === 0 ? 'none answered' : `${percent(wrong / answered)} (${wrong} of ${answered})`

export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`
