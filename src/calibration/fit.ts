import { type Curves, curvesOf } from './curves.ts'
import { certifyCutoff } from './cutoff.ts'
import { dealFolds, type FoldedRow } from './folds.ts'
import { type Metrics, measure } from './metrics.ts'
import { type Judged, judge, type Row } from './row.ts'
import { fitTemperature } from './temperature.ts'

/** What a profile holds for a question: how to scale its logits, and below which confidence to abstain. */
export type Rule = { temperature: number; cutoff: number | null }

export type MetricsAfter = Metrics & {
  temperature: number
  coverage_at_target_error: number
  error_when_covered: number | null
}

export type Fit = { rule: Rule; before: Metrics; after: MetricsAfter; curves: Curves }

/** Fits one question on its labelled rows. All of `after` is out of fold: no row is judged by a fit that saw it. */
export const fitQuestion = (rows: readonly Row[], targetError: number): Fit =>
  fitFolded(dealFolds(rows), targetError)

export const fitFolded = (folded: readonly FoldedRow[], targetError: number): Fit => {
  const raw = folded.map(row => judge(row, 1))
  const { rule, outOfFold } = fitRule(folded, targetError)
  const accepted = outOfFold.filter(row => accepts(rule, row)).length
  return {
    rule,
    before: measure(raw, null, 1),
    after: {
      ...measure(outOfFold, rule.cutoff, accepted / outOfFold.length),
      temperature: rule.temperature,
      ...judgeRule(folded, targetError),
    },
    curves: curvesOf(raw, outOfFold),
  }
}

/** What the raw probabilities are worth, with every one of them accepted. */
export const measureRaw = (rows: readonly Row[]): Metrics =>
  measure(
    rows.map(row => judge(row, 1)),
    null,
    1,
  )

/** The rule that ships: the temperature of all rows, and the cutoff certified on out-of-fold confidences. */
const fitRule = (rows: readonly FoldedRow[], targetError: number): { rule: Rule; outOfFold: Judged[] } => {
  const { temperature, outOfFold } = crossFit(rows)
  return { rule: { temperature, cutoff: certifyCutoff(outOfFold, targetError) }, outOfFold }
}

/** The temperature of all rows, and each row judged at the temperature of the other folds. */
export const crossFit = (rows: readonly FoldedRow[]): { temperature: number; outOfFold: Judged[] } => {
  const temperatures = new Map<number, number>()
  for (const { fold } of rows) {
    if (!temperatures.has(fold)) temperatures.set(fold, fitTemperature(rows.filter(row => row.fold !== fold)))
  }
  return {
    temperature: fitTemperature(rows),
    outOfFold: rows.map(row => judge(row, temperatures.get(row.fold) ?? 1)),
  }
}

const accepts = (rule: Rule, row: Judged): boolean => rule.cutoff !== null && row.confidence >= rule.cutoff

/** How a whole rule, temperature and cutoff, fares on a fifth of the rows it never saw; five times, pooled. */
const judgeRule = (rows: readonly FoldedRow[], targetError: number) => {
  let covered = 0
  let wrong = 0
  for (const fold of new Set(rows.map(row => row.fold))) {
    const { rule } = fitRule(
      rows.filter(row => row.fold !== fold),
      targetError,
    )
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
