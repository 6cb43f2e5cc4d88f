import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge, labelledRow, type Row } from './row.ts'
import { seededRandom } from './simulation/random.ts'
import { drawRows } from './simulation/world.ts'
import { fitTemperature, HIGHEST_TEMPERATURE, LOWEST_TEMPERATURE, PULL } from './temperature.ts'

const rowOf = (logits: readonly number[], label: number): Row =>
  labelledRow('state', { name: String(label), index: label }, logits)
const finite = fc.double({ min: -1e4, max: 1e4, noNaN: true })
const anyRow = fc
  .array(finite, { minLength: 1, maxLength: 6 })
  .chain(logits => fc.nat(logits.length - 1).map(label => rowOf(logits, label)))
const objective = (rows: readonly Row[], temperature: number) =>
  rows.reduce((sum, row) => sum + judge(row, temperature).nll, 0) + PULL * Math.log(temperature) ** 2
/** No other temperature is better, as far as a fine grid can tell. */
const expectLowest = (rows: readonly Row[]) => {
  const best = objective(rows, fitTemperature(rows))
  for (let other = LOWEST_TEMPERATURE; other < HIGHEST_TEMPERATURE; other *= 1.03) {
    expect(best).toBeLessThanOrEqual(objective(rows, other) + 1e-9)
  }
}

describe('fitTemperature', { timeout: 60_000 }, () => {
  it('undoes known overconfidence', () => {
    const world = { options: 4, separation: 2, overconfidence: 3, noise: 0, luck: 0 }
    expect(fitTemperature(drawRows(world, 20_000, seededRandom(5)))).toBeCloseTo(3, 0)
    expect(fitTemperature(drawRows({ ...world, overconfidence: 0.4 }, 20_000, seededRandom(6)))).toBeCloseTo(
      0.4,
      1,
    )
  })

  it('is 1 if the rows say nothing: none at all, one option, or an even split', () => {
    expect(fitTemperature([])).toBe(1)
    expect(fitTemperature(Array.from({ length: 99 }, () => rowOf([4], 0)))).toBe(1)
    expect(fitTemperature(Array.from({ length: 99 }, () => rowOf([4, 4, 4], 1)))).toBe(1)
  })

  it('sharpens rows that are all right and flattens rows that are all wrong, within its bounds', () => {
    const right = fitTemperature(Array.from({ length: 200 }, () => rowOf([1, 0], 0)))
    const wrong = fitTemperature(Array.from({ length: 200 }, () => rowOf([1, 0], 1)))
    expect(right).toBeGreaterThanOrEqual(LOWEST_TEMPERATURE)
    expect(right).toBeLessThan(0.5)
    expect(wrong).toBeLessThanOrEqual(HIGHEST_TEMPERATURE)
    expect(wrong).toBeGreaterThan(5)
    expect(fitTemperature(Array.from({ length: 200 }, () => rowOf([100, 0], 1)))).toBe(HIGHEST_TEMPERATURE)
  })

  // Newton's steps lead back and forth across the minimum here.
  it.each([
    { count: 60, options: 2, gap: 1.64 },
    { count: 110, options: 2, gap: 1.66 },
    { count: 80, options: 3, gap: 1.86 },
  ])('finds the minimum if all rows are right by the same gap: %j', ({ count, options, gap }) => {
    expectLowest(Array.from({ length: count }, () => rowOf([0, ...Array(options - 1).fill(-gap)], 0)))
  })

  it.each([
    { count: 100, options: 2, gap: 0.004 },
    { count: 150, options: 2, gap: 0.004 },
    { count: 60, options: 3, gap: 0.005 },
  ])('finds the lower of two minima, one of them a bound: %j', ({ count, options, gap }) => {
    expectLowest(Array.from({ length: count }, () => rowOf([gap, ...Array(options - 1).fill(0)], 0)))
  })

  it('finds the lowest minimum for rows of a few kinds, whether their gaps are large or tiny', () => {
    const kind = fc.record({
      gap: fc.double({ min: -3, max: 2, noNaN: true }).map(power => 10 ** power),
      right: fc.nat(150),
      wrong: fc.nat(20),
    })
    fc.assert(
      fc.property(fc.array(kind, { maxLength: 3 }), kinds => {
        expectLowest(
          kinds.flatMap(({ gap, right, wrong }) => [
            ...Array.from({ length: right }, () => rowOf([gap, 0], 0)),
            ...Array.from({ length: wrong }, () => rowOf([gap, 0], 1)),
          ]),
        )
      }),
    )
  })

  it('takes fewer than twelve passes over the rows, where bisection would take forty', () => {
    let passes = 0
    class Counted extends Array<Row> {
      override [Symbol.iterator]() {
        passes += 1
        return super[Symbol.iterator]()
      }
    }
    for (const overconfidence of [0.2, 0.5, 1, 2.5, 5]) {
      const world = { options: 4, separation: 4, overconfidence, noise: 0.5, luck: 0 }
      const rows = Counted.from(drawRows(world, 200, seededRandom(1)))
      passes = 0
      fitTemperature(rows)
      expect(passes).toBeLessThan(12)
    }
  })

  it('stays within its bounds and never loses to a temperature of 1 or to its neighbours, whatever the rows', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 40, size: 'max' }), rows => {
        const temperature = fitTemperature(rows)
        expect(temperature).toBeGreaterThanOrEqual(LOWEST_TEMPERATURE)
        expect(temperature).toBeLessThanOrEqual(HIGHEST_TEMPERATURE)
        for (const other of [1, temperature * 1.01, temperature / 1.01]) {
          if (other < LOWEST_TEMPERATURE || other > HIGHEST_TEMPERATURE) continue
          const worse = objective(rows, other)
          expect(objective(rows, temperature)).toBeLessThanOrEqual(worse + 1e-9 * (1 + Math.abs(worse)))
        }
      }),
      { numRuns: 500 },
    )
  })
})
