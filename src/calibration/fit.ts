import { present } from '../present.ts'
import type { Rule } from '../profiles/profile.ts'
import { curvesOf } from './curves.ts'
import { certifyCutoff } from './cutoff.ts'
import { commonestLabel, doubtsAbout } from './doubts.ts'
import { dealFolds, type FoldedRow } from './folds.ts'
import { measure } from './metrics.ts'
import { type Judged, judge, type Row } from './row.ts'
import { fitTemperature } from './temperature.ts'
import type { Curves, Metrics, MetricsAfter } from './wire.ts'

export type Fit = {
  rule: Rule
  before: Metrics
  after: MetricsAfter
  curves: Curves
  doubts: readonly string[]
}

/**
 * Fits one question on its labelled rows. The quality figures in `after` are out of fold: no row is judged by a fit
 * that saw it. `cutoff` and `coverage` are those of the rule that ships.
 */
export const fitQuestion = (rows: readonly Row[], targetError: number): Fit =>
  fitFolded(dealFolds(rows), targetError)

export const fitFolded = (folded: readonly FoldedRow[], targetError: number): Fit => {
  const raw = folded.map(row => judge(row, 1))
  const { temperature, outOfFold, orders } = crossFit(folded)
  const rule = { temperature, cutoff: certifyCutoff(orders, targetError) }
  const [shipped] = orders
  const letThrough = folded.filter((_, index) =>
    accepts(rule, present(shipped[index], 'a row in the same place')),
  )
  return {
    rule,
    before: measure(raw, null, 1),
    after: {
      ...measure(outOfFold, rule.cutoff, letThrough.length / folded.length),
      temperature,
      ...judgeRule(folded, targetError),
    },
    curves: {
      commonest_label: commonestLabel(folded) / folded.length,
      ...curvesOf(raw, outOfFold, shipped),
    },
    doubts: doubtsAbout(folded, temperature, letThrough),
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
  temperature: number
  /** Each row at the temperature of the other folds, as if it were a new case. */
  outOfFold: Judged[]
  /** All rows at the temperature that ships, then at each fold's temperature if that may change their order. */
  orders: [shipped: Judged[], ...others: Judged[][]]
}

/**
 * Five temperatures, each from four folds, and the one from all rows, which ships. A cutoff is a number on the
 * shipped scale, so rows must be counted on that scale: with five scales, rows with equal logits would get five
 * confidences, and part of what the cutoff accepts would never have been tested.
 */
export const crossFit = (rows: readonly FoldedRow[]): CrossFit => {
  const temperatures = new Map<number, number>()
  for (const { fold } of rows) {
    if (!temperatures.has(fold)) temperatures.set(fold, fitTemperature(rows.filter(row => row.fold !== fold)))
  }
  const temperature = fitTemperature(rows)
  const at = (scale: number) => rows.map(row => judge(row, scale))
  const others = rows.some(ordersDiffer) ? [...temperatures.values()].map(at) : []
  return {
    temperature,
    outOfFold: rows.map(row => judge(row, temperatures.get(row.fold) ?? 1)),
    orders: [at(temperature), ...others],
  }
}

/** With two options, the wider gap is surer at every temperature. With more, that depends on the temperature. */
const ordersDiffer = ({ logits }: Row): boolean => logits.length > 2

const accepts = (rule: Rule, row: Judged): boolean => rule.cutoff !== null && row.confidence >= rule.cutoff

/** How a whole rule, temperature and cutoff, does on a fifth of the rows that it never saw: five times, pooled. */
const judgeRule = (rows: readonly FoldedRow[], targetError: number) => {
  let covered = 0
  let wrong = 0
  for (const fold of new Set(rows.map(row => row.fold))) {
    const { temperature, orders } = crossFit(rows.filter(row => row.fold !== fold))
    const rule = { temperature, cutoff: certifyCutoff(orders, targetError) }
    for (const row of rows) {
      if (row.fold !== fold) continue
      const judged = judge(row, rule.temperature)
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
