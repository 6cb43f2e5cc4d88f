import { present } from '../present.ts'
import type { Rule, Scale } from '../profiles/profile.ts'
import { curvesOf } from './curves.ts'
import { certifyCutoff } from './cutoff.ts'
import { commonestLabel, doubtsAbout } from './doubts.ts'
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
export const fitQuestion = (rows: readonly Row[], targetError: number, offsets = false): Fit =>
  fitFolded(dealFolds(rows), targetError, offsets)

export const fitFolded = (folded: readonly FoldedRow[], targetError: number, offsets = false): Fit => {
  const raw = folded.map(row => judge(row, 1))
  const { scale, outOfFold, orders } = crossFit(folded, offsets)
  const rule = { ...scale, cutoff: certifyCutoff(orders, targetError) }
  const [shipped] = orders
  const asShipped = folded.map(row => shifted(row, scale.offsets))
  const letThrough = asShipped.filter((_, index) =>
    accepts(rule, present(shipped[index], 'a row in the same place')),
  )
  return {
    rule,
    before: measure(raw, null, 1),
    after: {
      ...measure(outOfFold, rule.cutoff, letThrough.length / folded.length),
      temperature: scale.temperature,
      ...judgeRule(folded, targetError, offsets),
    },
    curves: {
      commonest_label: commonestLabel(folded) / folded.length,
      ...curvesOf(raw, outOfFold, shipped),
    },
    doubts: doubtsAbout(asShipped, scale.temperature, letThrough),
  }
}

/** The metrics of the raw probabilities, with every row accepted. */
export const measureRaw = (rows: readonly Row[]): Metrics =>
  measure(
    rows.map(row => judge(row, 1)),
    null,
    1,
  )

export type CrossFit = {
  scale: Scale
  /** Each row on the scale of the other folds, as if it were a new case. */
  outOfFold: Judged[]
  /** All rows on the scale that ships, then as a fit that the labels influenced less would have ordered them. */
  orders: [shipped: Judged[], ...others: Judged[][]]
}

/**
 * Five scales, each from four folds, and the one from all rows, which ships. A cutoff is a number on the shipped
 * scale, so rows must be counted on that scale: with five scales, rows with equal logits would get five confidences,
 * and part of what the cutoff accepts would never have been tested.
 */
export const crossFit = (rows: readonly FoldedRow[], offsets: boolean): CrossFit => {
  const scales = new Map<number, Scale>()
  for (const { fold } of rows) {
    if (!scales.has(fold))
      scales.set(
        fold,
        fitScale(
          rows.filter(row => row.fold !== fold),
          offsets,
        ),
      )
  }
  const scale = fitScale(rows, offsets)
  const at = (one: Scale) => rows.map(row => judgeAt(row, one))
  const turned = new Map<number, Judged[]>()
  if (offsets || rows.some(ordersDiffer)) for (const [fold, one] of scales) turned.set(fold, at(one))
  const outOfFold = rows.map(
    (row, index) => turned.get(row.fold)?.[index] ?? judgeAt(row, scales.get(row.fold) ?? { temperature: 1 }),
  )
  // Offsets decide which answers are right. Those that saw a label flatter it; those of the other folds do not.
  const unseen = offsets ? [outOfFold] : []
  return { scale, outOfFold, orders: [at(scale), ...turned.values(), ...unseen] }
}

/** With two options, the wider gap is surer at every temperature. With more, that depends on the temperature. */
const ordersDiffer = ({ logits }: Row): boolean => logits.length > 2

const accepts = (rule: Rule, row: Judged): boolean => rule.cutoff !== null && row.confidence >= rule.cutoff

/** How a whole rule, scale and cutoff, does on a fifth of the rows that it never saw: five times, pooled. */
const judgeRule = (rows: readonly FoldedRow[], targetError: number, offsets: boolean) => {
  let covered = 0
  let wrong = 0
  for (const fold of new Set(rows.map(row => row.fold))) {
    const { scale, orders } = crossFit(
      rows.filter(row => row.fold !== fold),
      offsets,
    )
    const rule = { ...scale, cutoff: certifyCutoff(orders, targetError) }
    for (const row of rows) {
      if (row.fold !== fold) continue
      const judged = judgeAt(row, rule)
      if (!accepts(rule, judged)) continue
      covered += 1
      if (!judged.correct) wrong += 1
    }
  }
  return {
    coverage_at_target_error: covered / rows.length,
    error_when_covered: covered === 0 ? null : wrong / covered,
  }
}
