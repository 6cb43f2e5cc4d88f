import type { Judged } from './row.ts'
import type { Bin, Metrics } from './wire.ts'

/** Takes one row or more. */
export const measure = (judged: readonly Judged[], cutoff: number | null, coverage: number): Metrics => ({
  accuracy: mean(judged, row => (row.correct ? 1 : 0)),
  ece: expectedCalibrationError(judged),
  brier: mean(judged, row => row.brier),
  nll: mean(judged, row => row.nll),
  mean_confidence: mean(judged, row => row.confidence),
  coverage,
  cutoff,
  n: judged.length,
})

const mean = (judged: readonly Judged[], of: (row: Judged) => number): number =>
  judged.reduce((sum, row) => sum + of(row), 0) / judged.length

const BINS = 15

const expectedCalibrationError = (judged: readonly Judged[]): number =>
  reliabilityBins(judged).reduce(
    (sum, bin) => sum + (bin.n / judged.length) * Math.abs(bin.confidence - bin.accuracy),
    0,
  )

/** Up to 15 bins of equal mass. The share of rows with a lower confidence decides a row's bin, so ties stay whole. */
export const reliabilityBins = (judged: readonly Judged[]): Bin[] => {
  const sorted = judged.toSorted((one, other) => one.confidence - other.confidence)
  const bins: Judged[][] = Array.from({ length: BINS }, () => [])
  let lower = 0
  for (const [index, row] of sorted.entries()) {
    if (sorted[lower]?.confidence !== row.confidence) lower = index
    bins[Math.floor((lower * BINS) / sorted.length)]?.push(row)
  }
  return bins
    .filter(rows => rows.length > 0)
    .map(rows => ({
      n: rows.length,
      confidence: mean(rows, row => row.confidence),
      accuracy: mean(rows, row => (row.correct ? 1 : 0)),
    }))
}
