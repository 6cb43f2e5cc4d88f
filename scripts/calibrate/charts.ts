import type { Bin, Curves } from '../../src/calibration/wire.ts'
import { writtenTarget } from '../../src/calibration/written-target.ts'
import { percent } from './table.ts'

// Charts as SVG text, coloured by the classes of the surrounding page. No script, no font, nothing to load.

const WIDTH = 300
const HEIGHT = 260
const LEFT = 44
const RIGHT = 20
const TOP = 12
const BOTTOM = 40

/** Accuracy against confidence. A point's area is its share of the examples; on the diagonal the two are equal. */
export const reliabilityChart = (bins: readonly Bin[], title: string): string => {
  const total = bins.reduce((sum, { n }) => sum + n, 0)
  const points = bins.map(({ n, confidence, accuracy }) => {
    const radius = 2 + 9 * Math.sqrt(n / Math.max(1, total))
    const label = `${n} examples: confidence ${percent(confidence)}, accuracy ${percent(accuracy)}`
    return `<circle class="point" cx="${x(confidence)}" cy="${y(accuracy)}" r="${fixed(radius)}"><title>${label}</title></circle>`
  })
  return chart(title, 'confidence', 'accuracy', 1, [
    `<line class="ideal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>`,
    `<polyline class="line" points="${bins.map(({ confidence, accuracy }) => `${x(confidence)},${y(accuracy)}`).join(' ')}"/>`,
    ...points,
  ])
}

type Shipped = { cutoff: number | null; coverage: number }

/** The error at each coverage, with a line across at the target and a mark at the profile's cutoff. */
export const selectiveChart = (
  points: Curves['selective'],
  targetError: number,
  { cutoff, coverage }: Shipped,
  title: string,
): string => {
  const highest = niceAbove(Math.max(targetError * 1.5, ...points.map(({ error }) => error)))
  const at = (error: number) => y(error / highest)
  const errorThere = points.findLast(point => point.coverage <= coverage + 1e-9)?.error ?? 0
  const mark =
    cutoff === null
      ? []
      : [
          `<line class="mark" x1="${x(coverage)}" y1="${y(0)}" x2="${x(coverage)}" y2="${y(1)}"/>`,
          `<circle class="mark-point" cx="${x(coverage)}" cy="${at(errorThere)}" r="5"><title>cutoff ${cutoff.toFixed(3)}: answers ${percent(coverage)}, of which ${percent(errorThere)} are wrong</title></circle>`,
        ]
  return chart(title, 'coverage: share answered', 'wrong when answered', highest, [
    `<line class="target" x1="${x(0)}" y1="${at(targetError)}" x2="${x(1)}" y2="${at(targetError)}"/>`,
    `<text class="target-label" text-anchor="end" x="${x(1)}" y="${fixed(Number(at(targetError)) - 4)}">target ${writtenTarget(targetError)}</text>`,
    `<polyline class="line" points="${points.map(point => `${x(point.coverage)},${at(point.error)}`).join(' ')}"/>`,
    ...mark,
  ])
}

const chart = (
  title: string,
  across: string,
  up: string,
  highest: number,
  marks: readonly string[],
): string =>
  `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">` +
  [...ticks(highest), ...marks].join('') +
  `<text x="${(x(0) + x(1)) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${across}</text>` +
  `<text transform="translate(11 ${fixed((y(0) + y(1)) / 2)}) rotate(-90)" text-anchor="middle">${up}</text></svg>`

const ticks = (highest: number): string[] =>
  [0, 0.25, 0.5, 0.75, 1].flatMap(share => [
    `<line class="grid" x1="${x(0)}" y1="${y(share)}" x2="${x(1)}" y2="${y(share)}"/>`,
    `<text class="tick" x="${x(0) - 5}" y="${y(share) + 3.5}" text-anchor="end">${shortPercent(share * highest)}</text>`,
    `<text class="tick" x="${x(share)}" y="${y(0) + 14}" text-anchor="middle">${shortPercent(share)}</text>`,
  ])

/** Rounded up so that each of the four ticks is a whole percentage. Nothing is above 100%, for a tick to say so. */
const niceAbove = (share: number): number => Math.min(1, Math.ceil(share * 25 + 1e-9) / 25)

const shortPercent = (share: number): string => `${Number((100 * share).toPrecision(2))}%`
const x = (share: number): number => Number(fixed(LEFT + share * (WIDTH - LEFT - RIGHT)))
const y = (share: number): number => Number(fixed(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)))
const fixed = (value: number): string => value.toFixed(1)
