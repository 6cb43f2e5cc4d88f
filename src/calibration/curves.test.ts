import { describe, expect, it } from 'vitest'
import { curvesOf } from './curves.ts'
import { reliabilityBins } from './metrics.ts'
import { judge } from './row.ts'
import { seededRandom } from './simulation/random.ts'
import { drawRows } from './simulation/world.ts'

const world = { options: 3, separation: 3, overconfidence: 2, noise: 0.5, luck: 0 }
const judged = (count: number) => drawRows(world, count, seededRandom(1)).map(row => judge(row, 2))

describe('curvesOf', () => {
  // With 218 points, the quotient that picks them falls short of the last one.
  it.each([218, 777])('ends where everything is covered, at the error of all %d rows', count => {
    const rows = judged(count)
    const { selective } = curvesOf({ raw: rows, outOfFold: rows, shipped: rows, cutoff: null })
    const wrong = rows.filter(({ correct }) => !correct).length
    expect(selective.at(-1)).toMatchObject({ coverage: 1, error: wrong / count })
  })

  it('says of each confidence what share is at least as sure, and how much of that is wrong', () => {
    const rows = judged(100)
    const { selective } = curvesOf({ raw: rows, outOfFold: rows, shipped: rows, cutoff: null })
    for (const { confidence, coverage, error } of selective) {
      const sure = rows.filter(row => row.confidence >= confidence)
      const wrong = sure.filter(({ correct }) => !correct)
      expect([coverage, error]).toEqual([sure.length / 100, wrong.length / sure.length])
    }
  })

  it('shows how honest confidences were before and are afterwards, out of fold', () => {
    const [raw, outOfFold, shipped] = [judged(60), judged(75), judged(90)]
    expect(curvesOf({ raw, outOfFold, shipped, cutoff: null }).reliability).toEqual({
      before: reliabilityBins(raw),
      after: reliabilityBins(outOfFold),
    })
  })

  it('grows in coverage as confidence falls, with no more points than a drawing needs', () => {
    for (const count of [50, 201, 5_000]) {
      const rows = judged(count)
      const { selective } = curvesOf({ raw: rows, outOfFold: rows, shipped: rows, cutoff: 0.9 })
      expect(selective.length).toBeLessThanOrEqual(202)
      expect(selective.length).toBeGreaterThanOrEqual(Math.min(count, 200))
      for (const [index, point] of selective.entries()) {
        const next = selective[index + 1]
        if (next === undefined) continue
        expect(next.coverage).toBeGreaterThan(point.coverage)
        expect(next.confidence).toBeLessThan(point.confidence)
      }
    }
  })
})
