import { useMemo } from 'preact/hooks'
import type { Bin, Curves, MetricsAfter } from '../../../src/calibration/wire.ts'
import { percent } from '../ui/format.ts'
import { Plot, type PlotProps } from '../ui/plot.tsx'

type Point = { x: number; y: number }

/** How often answers of a given confidence were right, before and after. On the diagonal, confidence equals accuracy. */
export const ReliabilityPicture = ({ name, curves }: { name: string; curves: Curves }) => {
  const plot = useMemo((): PlotProps => {
    const { before, after } = curves.reliability
    const points = { before: before.map(pointOf), after: after.map(pointOf) }
    const low = Math.min(...points.before.map(p => p.x), ...points.after.map(p => p.x), 0.9)
    const from = Math.max(0, Math.floor((low - 0.05) * 10) / 10)
    const ends = [from, 1].map(x => ({ x, y: x }))
    const { x, columns } = aligned([points.before, points.after, ends])
    return {
      title: `Reliability of ${name}`,
      note: 'accuracy against stated confidence',
      x: { values: x, name: 'Confidence', range: [from, 1.005] },
      yRange: [0, 1.02],
      height: 280,
      format: percent0,
      formatX: percent0,
      lines: [
        { name: 'before', ink: '--warn', shape: 'points', values: columns[0] ?? [] },
        { name: 'after', ink: '--accent', shape: 'points', values: columns[1] ?? [] },
        { name: 'ideal', ink: '--line-strong', shape: 'line', dashed: true, values: columns[2] ?? [] },
      ],
    }
  }, [name, curves])
  return <Plot {...plot} />
}

type CoverageProps = { name: string; after: MetricsAfter; curves: Curves; targetError: number }

/** What abstaining gains: the error among the answers kept, against the share kept. */
export const CoveragePicture = ({ name, after, curves, targetError }: CoverageProps) => {
  const plot = useMemo((): PlotProps => {
    const line = curves.selective.map(point => ({ x: point.coverage, y: point.error }))
    const target = [0, 1].map(x => ({ x, y: targetError }))
    const { x, columns } = aligned([line, target])
    const highest = Math.max(targetError, ...line.map(point => point.y))
    return {
      title: `Coverage of ${name}`,
      note:
        after.cutoff === null
          ? 'these labels cannot certify a cutoff for this error, so every answer abstains'
          : `answers ${percent(after.coverage)} at a cutoff of ${after.cutoff.toFixed(3)}`,
      x: { values: x, name: 'Answered', range: [0, 1.005] },
      yRange: [0, Math.min(1, highest * 1.25 + 0.01)],
      height: 280,
      format: percent,
      formatX: percent0,
      marks: after.cutoff === null ? [] : [{ at: after.coverage, name: 'cutoff' }],
      lines: [
        { name: 'wrong when answered', ink: '--accent', shape: 'line', values: columns[0] ?? [] },
        { name: 'target error', ink: '--bad', shape: 'line', dashed: true, values: columns[1] ?? [] },
      ],
    }
  }, [name, after, curves, targetError])
  return <Plot {...plot} />
}

const percent0 = (value: number): string => `${Math.round(value * 100)}%`

const pointOf = (bin: Bin): Point => ({ x: bin.confidence, y: bin.accuracy })

/** One x axis for several sets of points, each with gaps where it has none. */
const aligned = (sets: readonly (readonly Point[])[]): { x: number[]; columns: (number | null)[][] } => {
  const x = [...new Set(sets.flatMap(points => points.map(point => point.x)))].sort((a, b) => a - b)
  const columns = sets.map(points => {
    const at = new Map(points.map(point => [point.x, point.y]))
    return x.map(value => at.get(value) ?? null)
  })
  return { x, columns }
}
