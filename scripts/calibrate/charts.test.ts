import { describe, expect, it } from 'vitest'
import { reliabilityChart, selectiveChart } from './charts.ts'

type Point = { across: number; up: number }

/** Reads a chart as a person does: by the numbers at its ticks. */
const reading = (svg: string) => {
  const ticks = [
    ...svg.matchAll(/<text class="tick" x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)">([\d.]+)%</g),
  ]
  const scale = (anchor: string, at: 1 | 2) => {
    const marks = ticks
      .filter(([, , , anchored]) => anchored === anchor)
      .map(tick => ({ at: Number(tick[at]), share: Number(tick[4]) / 100 }))
    const [first, last] = [marks[0], marks.at(-1)]
    if (!first || !last) throw new Error('no ticks')
    if (last.at > first.at !== (anchor === 'middle')) throw new Error('shares grow to the right and upwards')
    return (position: number) =>
      first.share + ((position - first.at) / (last.at - first.at)) * (last.share - first.share)
  }
  const across = scale('middle', 1)
  // The text stands a little below its line.
  const up = scale('end', 2)
  const at = (x: unknown, y: unknown): Point => ({ across: across(Number(x)), up: up(Number(y) + 3.5) })
  const [, line = ''] = /<polyline class="line" points="(.*?)"/.exec(svg) ?? []
  return {
    line: line.split(' ').map(point => at(...(point.split(',') as [string, string]))),
    points: [...svg.matchAll(/<circle class="point" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g)].map(
      ([, x, y, radius]) => ({ ...at(x, y), radius: Number(radius) }),
    ),
    marks: [...svg.matchAll(/<circle class="mark-point" cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) =>
      at(x, y),
    ),
    targets: [...svg.matchAll(/<line class="target" .*? y1="([\d.]+)"/g)].map(([, y]) => at(0, y).up),
    highest: Number(ticks.findLast(([, , , anchored]) => anchored === 'end')?.[4]) / 100,
  }
}
const near = (across: number, up: number) => ({
  across: expect.closeTo(across, 2),
  up: expect.closeTo(up, 2),
})

describe('a reliability diagram', () => {
  it('shows accuracy over confidence, in a line and in points that grow with the examples', () => {
    const bins = [
      { n: 20, confidence: 0.6, accuracy: 0.5 },
      { n: 60, confidence: 0.95, accuracy: 0.9 },
    ]
    const { line, points } = reading(reliabilityChart(bins, 'Reliability'))
    expect(line).toEqual([near(0.6, 0.5), near(0.95, 0.9)])
    expect(points).toMatchObject(line)
    const [few = 0, many = 0] = points.map(({ radius }) => radius - 2)
    expect((many / few) ** 2).toBeCloseTo(60 / 20, 0)
    const alone = bins.map(bin => reading(reliabilityChart([bin], 'Reliability')).points[0]?.radius)
    expect(alone[0]).toBe(alone[1])
  })
})

describe('the curve of errors', () => {
  const curve = [
    { confidence: 0.9, coverage: 0.3, error: 0 },
    { confidence: 0.7, coverage: 0.6, error: 0.04 },
    { confidence: 0.4, coverage: 1, error: 0.2 },
  ]

  it('shows errors over coverage, the target, and the cutoff on the curve', () => {
    const svg = selectiveChart(curve, 0.05, { cutoff: 0.7, coverage: 0.6 }, 'Errors')
    const { line, marks, targets } = reading(svg)
    expect(line).toEqual([near(0.3, 0), near(0.6, 0.04), near(1, 0.2)])
    expect(marks).toEqual([near(0.6, 0.04)])
    expect(targets).toEqual([expect.closeTo(0.05, 2)])
    expect(svg).toContain('<title>cutoff 0.700: answers 60.0%, of which 4.0% are wrong</title>')
  })

  it('reaches above all errors and the target, in whole percentages', () => {
    const highest = (target: number, error: number) =>
      reading(
        selectiveChart([{ confidence: 1, coverage: 1, error }], target, { cutoff: null, coverage: 0 }, ''),
      ).highest
    expect([highest(0.05, 0.2), highest(0.05, 0.01), highest(0.2, 0.01)]).toEqual([0.24, 0.08, 0.32])
  })

  it('is read as it was drawn if the surest answers are wrong, which is an error of 100%', () => {
    const wrongAtFirst = [{ confidence: 0.99, coverage: 0.1, error: 1 }, ...curve]
    const { line, highest } = reading(selectiveChart(wrongAtFirst, 0.05, { cutoff: null, coverage: 0 }, ''))
    expect(line).toEqual([near(0.1, 1), near(0.3, 0), near(0.6, 0.04), near(1, 0.2)])
    expect(highest).toBe(1)
  })

  it('draws nothing beside the picture', () => {
    const svg = selectiveChart(curve, 0.05, { cutoff: 0.7, coverage: 0.6 }, 'Errors')
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
    const places = (name: 'x' | 'y') =>
      [...svg.matchAll(new RegExp(` c?${name}[12]?="([^"]+)"`, 'g'))].map(([, at]) => Number(at))
    expect(Math.min(...places('x'), ...places('y'))).toBeGreaterThan(0)
    expect(Math.max(...places('x'))).toBeLessThan(Number(width))
    expect(Math.max(...places('y'))).toBeLessThan(Number(height))
  })

  it('marks no cutoff where there is none', () => {
    expect(reading(selectiveChart(curve, 0.05, { cutoff: null, coverage: 0 }, '')).marks).toEqual([])
  })
})
