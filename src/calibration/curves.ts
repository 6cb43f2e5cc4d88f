import { acceptancePrefixes } from './cutoff.ts'
import { reliabilityBins } from './metrics.ts'
import type { Judged } from './row.ts'
import type { Curves } from './wire.ts'

const MAX_POINTS = 200

export const curvesOf = (
  raw: readonly Judged[],
  outOfFold: readonly Judged[],
  shipped: readonly Judged[],
): Omit<Curves, 'commonest_label'> => ({
  reliability: { before: reliabilityBins(raw), after: reliabilityBins(outOfFold) },
  selective: thinned(
    acceptancePrefixes(shipped).map(({ threshold, rows, wrongRows }) => ({
      confidence: threshold,
      coverage: rows / shipped.length,
      error: wrongRows / rows,
    })),
  ),
})

/** At most MAX_POINTS of them, evenly picked, always including the last. */
const thinned = <T>(points: readonly T[]): T[] => {
  const step = Math.max(1, points.length / MAX_POINTS)
  return points.filter(
    (_, index) => index === points.length - 1 || Math.floor((index + 1) / step) > Math.floor(index / step),
  )
}
