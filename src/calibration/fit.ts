import { present } from '../present.ts'
import { accepts, type Rule, type Scale } from '../profiles/profile.ts'
import { curvesOf } from './curves.ts'
import { certifyCutoff } from './cutoff.ts'
import { commonestLabelCount, doubtsAbout, doubtsAboutBrier, doubtsAboutOffsets } from './doubts.ts'
import { dealFolds, type FoldedRow } from './folds.ts'
import { measure } from './metrics.ts'
import { type Judged, judge, judgeAt, type Row, shifted } from './row.ts'
import { fitScale } from './scale.ts'
import type { Curves, Metrics, MetricsAfter } from './wire.ts'

export type Fit = {
  rule: Rule
  before: Metrics
  after: Omit<MetricsAfter, 'offsets'>
  curves: Curves
  doubts: readonly string[]
}

/**
 * Fits one question on its labelled rows. The quality figures in `after` are out of fold: no row is judged by a fit
 * that saw it. `cutoff` and `coverage` are those of the rule that ships.
 */
export const fitQuestion = (rows: readonly Row[], targetError: number, withOffsets = false): Fit =>
  fitFolded(dealFolds(rows, withOffsets), targetError, withOffsets)

export const fitFolded = (folded: readonly FoldedRow[], targetError: number, withOffsets = false): Fit => {
  const raw = folded.map(row => judge(row, 1))
  const fitted = crossFit(folded, withOffsets)
  const { outOfFold, shipped } = fitted
  const rule = ruleOf(fitted, targetError)
  const asShipped = folded.map(row => shifted(row, rule.offsets))
  const letThrough = asShipped.filter((_, index) =>
    accepts(rule, present(shipped[index], 'a row in the same place').confidence),
  )
  const before = measure(raw, null, 1)
  const after = measure(outOfFold, rule.cutoff, letThrough.length / folded.length)
  return {
    rule,
    before,
    after: { ...after, temperature: rule.temperature, ...judgeRule(folded, targetError, withOffsets) },
    curves: {
      commonest_label: commonestLabelCount(folded) / folded.length,
      ...curvesOf({ raw, outOfFold, shipped: rightOutOfFold(fitted), cutoff: rule.cutoff }),
    },
    doubts: [
      ...doubtsAbout(asShipped, rule.temperature, letThrough, outOfFold),
      ...doubtsAboutBrier(before.brier, after.brier),
      ...doubtsAboutOffsets(raw, outOfFold),
    ],
  }
}

/**
 * All rows as sure as the profile makes them, but right or wrong as a fit that did not see their label would answer. Only
 * offsets make a difference there: by those that saw the labels, more answers look right than will be.
 */
const rightOutOfFold = ({ shipped, outOfFold }: CrossFit): Judged[] =>
  shipped.map((row, index) => ({
    ...row,
    correct: present(outOfFold[index], 'a row in the same place').correct,
  }))

/** The metrics of the raw probabilities, with every row accepted. */
export const measureRaw = (rows: readonly Row[]): Metrics =>
  measure(
    rows.map(row => judge(row, 1)),
    null,
    1,
  )

type CrossFit = {
  /** Fitted on all rows: the one that ships. */
  scale: Scale
  /** All rows on that scale. */
  shipped: Judged[]
  /** All rows once more, each time as a fit that the labels influenced less would have ordered them. */
  others: Judged[][]
  /** Each row on the scale of the other folds, as if it were a new case. */
  outOfFold: Judged[]
}

/**
 * Five scales, each from four folds, and the one from all rows, which ships. A cutoff is a number on the shipped
 * scale, so rows must be counted on that scale: with five scales, rows with equal logits would get five confidences,
 * and part of what the cutoff accepts would never have been tested.
 */
export const crossFit = (rows: readonly FoldedRow[], withOffsets: boolean): CrossFit => {
  const scaleFor = (seen: readonly FoldedRow[]) => fitScale(seen, withOffsets)
  const on = (scale: Scale) => rows.map(row => judgeAt(row, scale))
  const folds = new Set(rows.map(row => row.fold))
  const scales = new Map([...folds].map(fold => [fold, scaleFor(rows.filter(row => row.fold !== fold))]))
  const outOfFold = rows.map(row => judgeAt(row, present(scales.get(row.fold), 'the scale of a fold')))
  const others = withOffsets || rows.some(ordersDiffer) ? [...scales.values()].map(on) : []
  // Offsets decide which answers are right. Those that saw a label flatter it; those of the other folds do not.
  if (withOffsets) others.push(outOfFold)
  const scale = scaleFor(rows)
  return { scale, shipped: on(scale), others, outOfFold }
}

/** With two options, the wider gap is surer at every temperature. With more, that depends on the temperature. */
const ordersDiffer = ({ logits }: Row): boolean => logits.length > 2

const ruleOf = ({ scale, shipped, others }: CrossFit, targetError: number): Rule => ({
  ...scale,
  cutoff: certifyCutoff(shipped, others, targetError),
})

/** How a whole rule, scale and cutoff, does on a fifth of the rows that it never saw: five times, pooled. */
const judgeRule = (rows: readonly FoldedRow[], targetError: number, withOffsets: boolean) => {
  let covered = 0
  let wrong = 0
  for (const fold of new Set(rows.map(row => row.fold))) {
    const seen = rows.filter(row => row.fold !== fold)
    const rule = ruleOf(crossFit(seen, withOffsets), targetError)
    for (const row of rows) {
      if (row.fold !== fold) continue
      const { confidence, correct } = judgeAt(row, rule)
      if (!accepts(rule, confidence)) continue
      covered += 1
      if (!correct) wrong += 1
    }
  }
  return {
    coverage_at_target_error: covered / rows.length,
    error_when_covered: covered === 0 ? null : wrong / covered,
  }
}
