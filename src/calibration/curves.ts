import { acceptancePrefixes, type Prefix } from './cutoff.ts'
import { reliabilityBins } from './metrics.ts'
import type { Judged } from './row.ts'
import type { Curves } from './wire.ts'

const MAX_POINTS = 200

type Rows = {
  raw: readonly Judged[]
  outOfFold: readonly Judged[]
  shipped: readonly Judged[]
  cutoff: number | null
}

export const curvesOf = ({ raw, outOfFold, shipped, cutoff }: Rows): Omit<Curves, 'commonest_label'> => {
  const prefixes = acceptancePrefixes(shipped)
  const isAtCutoff = ({ threshold }: Prefix) => cutoff !== null && threshold >= cutoff
  const points = thinned(prefixes, prefixes.findLastIndex(isAtCutoff))
  return {
    reliability: { before: reliabilityBins(raw), after: reliabilityBins(outOfFold) },
    selective: points.map(({ threshold, rows, wrongRows }) => ({
      confidence: threshold,
      coverage: rows / shipped.length,
      error: wrongRows / rows,
    })),
  }
}

/** MAX_POINTS of them, if there are more, evenly picked; and in any case the last, and the one to be marked. */
const thinned = <T>(points: readonly T[], marked: number): T[] => {
  const step = Math.max(1, points.length / MAX_POINTS)
  return points.filter(
    (_, index) =>
      index === points.length - 1 ||
      index === marked ||
      Math.floor((index + 1) / step) > Math.floor(index / step),
  )
}
