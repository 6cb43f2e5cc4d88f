import { type Change, figuresOf } from '../../src/calibration/figures-of-report.ts'
import { hasNoCutoff, NO_CUTOFF } from '../../src/calibration/no-cutoff.ts'
import { shortName } from '../../src/calibration/short-name.ts'
import type { CalibrationQuestionReport, CalibrationResponse } from '../../src/calibration/wire.ts'
import { writtenTarget } from '../../src/calibration/written-target.ts'
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
  return [
    `${legible(model)}, target error ${writtenTarget(target_error)}`,
    inColumns([HEAD, ...questions.map(rowOf)]),
    ...(warnings.length > 0 ? [warnings.map(warning => `Warning: ${legible(warning)}`).join('\n')] : []),
    ...(questions.some(hasNoCutoff) ? [NO_CUTOFF] : []),
  ].join('\n\n')
}

const rowOf = (report: CalibrationQuestionReport): string[] => {
  const figures = figuresOf(report)
  return [
    named(report.question_ids),
    String(report.before.n),
    report.status,
    changed(figures.accuracy, percent),
    written(figures.commonestLabel, percent),
    changed(figures.nll, decimal),
    changed(figures.ece, decimal),
    written(figures.temperature, temperature => temperature.toFixed(2)),
    written(figures.cutoff, cutoff => (cutoff === 'none' ? cutoff : decimal(cutoff))),
    written(figures.coverage, percent),
    written(figures.check, wrongOf),
  ]
}

const changed = ({ before, after }: Change, write: (figure: number) => string): string =>
  after === null ? write(before) : `${write(before)} → ${write(after)}`

const written = <Figure>(figure: Figure | null, write: (figure: Figure) => string): string =>
  figure === null ? '' : write(figure)

export const named = (ids: readonly string[]): string => legible(shortName(ids))

/** The share of answers that are wrong, with its counts. */
export const wrongOf = ({ wrong, answered }: { wrong: number; answered: number }): string =>
  answered === 0 ? 'none answered' : `${percent(wrong / answered)} (${wrong} of ${answered})`

export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

const decimal = (figure: number): string => figure.toFixed(3)
