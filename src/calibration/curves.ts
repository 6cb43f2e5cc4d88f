import { acceptancePrefixes } from './cutoff.ts'
import { type Bin, reliabilityBins } from './metrics.ts'
import type { Judged } from './row.ts'

/** What a report draws: how confidence meets accuracy, and what each coverage would cost in errors. */
export type Curves = {
  reliability: { before: readonly Bin[]; after: readonly Bin[] }
  /** Strictest first; confidences are those of the temperature that ships, as the cutoff is. */
  selective: readonly SelectivePoint[]
}

export type SelectivePoint = { confidence: number; coverage: number; error: number }

const MAX_POINTS = 200

export const curvesOf = (
  raw: readonly Judged[],
  outOfFold: readonly Judged[],
  shipped: readonly Judged[],
): Curves => ({
  reliability: { before: reliabilityBins(raw), after: reliabilityBins(outOfFold) },
  selective: thinned(
    acceptancePrefixes(shipped).map(({ threshold, rows, wrongRows }) => ({
      confidence: threshold,
      coverage: rows / shipped.length,
      error: wrongRows / rows,
    })),
  ),
})

/** At most so many, evenly picked, the last among them. */
const thinned = <T>(points: readonly T[]): T[] => {
  const step = Math.max(1, points.length / MAX_POINTS)
  return points.filter(
    (_, index) => index === points.length - 1 || Math.floor((index + 1) / step) > Math.floor(index / step),
  )
}
