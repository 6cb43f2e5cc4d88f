import { describe, expect, it } from 'vitest'
import { measure, reliabilityBins } from './metrics.ts'
import { type Judged, judge, labelledRow } from './row.ts'

const judged = (confidence: number, correct: boolean): Judged => ({
  group: '',
  confidence,
  correct,
  nll: 0,
  brier: 0,
})

describe('judge', () => {
  it('gives the textbook values of a fair coin', () => {
    const { confidence, nll, brier } = judge(labelledRow('', { name: 'a', index: 0 }, [0, 0]), 1)
    expect([confidence, nll, brier]).toEqual([0.5, Math.log(2), 0.5])
  })

  it('gives a Brier score of 2 to a sure but wrong answer, and 0 to a sure and right one', () => {
    expect(judge(labelledRow('', { name: 'a', index: 1 }, [100, 0]), 1).brier).toBeCloseTo(2, 12)
    expect(judge(labelledRow('', { name: 'a', index: 0 }, [100, 0]), 1).brier).toBeCloseTo(0, 12)
  })
})

describe('reliabilityBins', () => {
  it('holds equal numbers of rows', () => {
    const bins = reliabilityBins(Array.from({ length: 150 }, (_, index) => judged(index / 150, true)))
    expect(bins.map(({ n }) => n)).toEqual(Array.from({ length: 15 }, () => 10))
  })

  it('never splits a tie, whatever order the rows come in', () => {
    const tied = Array.from({ length: 90 }, (_, index) =>
      judged(index < 60 ? 0.5 : 0.5 + index / 1_000, index % 3 > 0),
    )
    const bins = reliabilityBins(tied)
    const turned = [...tied.slice(45), ...tied.slice(0, 45)].toReversed()
    for (const [at, bin] of reliabilityBins(turned).entries()) {
      expect(bin.n).toBe(bins[at]?.n)
      expect(bin.confidence).toBeCloseTo(bins[at]?.confidence ?? 0, 12)
      expect(bin.accuracy).toBeCloseTo(bins[at]?.accuracy ?? 0, 12)
    }
    expect(bins.map(({ n }) => n)).toEqual([60, 6, 6, 6, 6, 6])
    expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(90)
  })
})

describe('measure', () => {
  it('finds no calibration error where confidence matches accuracy', () => {
    const honest = Array.from({ length: 100 }, (_, index) => judged(0.75, index % 4 !== 0))
    expect(measure(honest, null, 1)).toMatchObject({ accuracy: 0.75, ece: 0, mean_confidence: 0.75 })
  })

  it('finds all of it where confidence exceeds accuracy', () => {
    expect(measure([judged(0.9, false), judged(0.9, true)], null, 1).ece).toBeCloseTo(0.4, 12)
  })
})
