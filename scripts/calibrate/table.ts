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
  'ECE',
  'NLL',
  'temperature',
  'cutoff',
  'answered',
  'wrong when answered',
]

/** The report for a terminal. Arrows lead from raw to calibrated figures. */
export const table = (calibration: CalibrationResponse): string => {
  const title = `${calibration.model}, target error ${percent(calibration.target_error)}`
  const rows = inColumns([HEAD, ...calibration.questions.map(rowOf)])
  const uncertified = calibration.questions.some(({ after }) => after !== null && after.cutoff === null)
  return `${title}\n\n${rows}${uncertified ? `\n\n${UNCERTIFIED}` : ''}`
}

const UNCERTIFIED =
  'Cutoff none: these labels cannot certify the target, so every answer to that question abstains.\n' +
  'Label more examples, or accept more errors with --target-error.'

const rowOf = ({ question_ids, status, before, after }: CalibrationQuestionReport): string[] => {
  const counted = [named(question_ids), String(before.n), status]
  if (after === null)
    return [
      ...counted,
      percent(before.accuracy),
      before.ece.toFixed(3),
      before.nll.toFixed(3),
      '',
      '',
      '',
      '',
    ]
  return [
    ...counted,
    percent(after.accuracy),
    `${before.ece.toFixed(3)} → ${after.ece.toFixed(3)}`,
    `${before.nll.toFixed(3)} → ${after.nll.toFixed(3)}`,
    after.temperature.toFixed(2),
    ...answered(after),
  ]
}

/** A question by its first two ids. */
export const named = (ids: readonly string[]): string =>
  legible(ids.slice(0, 2).join(', ') + (ids.length > 2 ? `, +${ids.length - 2}` : ''))

const answered = (after: MetricsAfter): string[] => {
  // Some folds may have certified a cutoff of their own, but the profile has none and answers nothing.
  if (after.cutoff === null) return ['none', percent(0), '']
  const wrong = after.error_when_covered
  return [
    after.cutoff.toFixed(3),
    percent(after.coverage_at_target_error),
    wrong === null ? '' : percent(wrong),
  ]
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`
