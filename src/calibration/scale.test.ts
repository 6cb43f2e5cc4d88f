import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeAt, labelledRow, type Row } from './row.ts'
import { fitOffsets, fitScale } from './scale.ts'
import { seededRandom } from './simulation/random.ts'
import { drawRows } from './simulation/world.ts'

const rowOf = (logits: readonly number[], label: number): Row =>
  labelledRow('state', { name: String(label), index: label }, logits)
/** The sums that docs/calibration-method.md says temperature and offsets minimise. */
const logLoss = (rows: readonly Row[], temperature: number, offsets: readonly number[]) =>
  rows.reduce((sum, row) => sum + judgeAt(row, { temperature, offsets }).nll, 0)
const costOfTemperature = (rows: readonly Row[], temperature: number, offsets: readonly number[]) =>
  logLoss(rows, temperature, offsets) + 0.5 * Math.log(temperature) ** 2
const costOfOffsets = (rows: readonly Row[], temperature: number, odds: readonly number[]) =>
  logLoss(
    rows,
    temperature,
    odds.map(b => b * temperature),
  ) + odds.reduce((sum, b) => sum + 0.5 * b * b, 0)

describe('a scale with offsets', () => {
  const world = { options: 4, separation: 4, overconfidence: 2.5, noise: 0.5, luck: 0, leaning: 9 }
  const rows = drawRows(world, 300, seededRandom(1))

  it('has offsets of three decimals, and the temperature that fits them best', () => {
    const { temperature, offsets = [] } = fitScale(rows, true)
    expect(offsets.map(offset => Number(offset.toFixed(3)))).toEqual(offsets)
    expect(offsets.some(offset => Number(offset.toFixed(2)) !== offset)).toBe(true)
    const best = costOfTemperature(rows, temperature, offsets)
    for (const factor of [0.99, 1.01])
      expect(costOfTemperature(rows, factor * temperature, offsets)).toBeGreaterThan(best)
  })

  it('has the offsets that fit best, whatever the rows', () => {
    const logit = fc.double({ min: -10, max: 10, noNaN: true })
    const anyRows = fc.integer({ min: 2, max: 5 }).chain(options =>
      fc.array(
        fc.record({
          logits: fc.array(logit, { minLength: options, maxLength: options }),
          label: fc.nat(options - 1),
          copies: fc.integer({ min: 1, max: 100 }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    )
    const temperatures = fc.double({ min: 0.2, max: 5, noNaN: true })
    fc.assert(
      fc.property(anyRows, temperatures, (kinds, temperature) => {
        const rows = kinds.flatMap(({ logits, label, copies }) =>
          Array.from({ length: copies }, () => rowOf(logits, label)),
        )
        const offsets = fitOffsets(rows, temperature)
        const best = costOfOffsets(rows, temperature, offsets)
        for (const option of offsets.keys())
          for (const step of [-0.05, 0.05])
            expect(
              costOfOffsets(rows, temperature, offsets.with(option, (offsets[option] ?? 0) + step)),
            ).toBeGreaterThan(best)
      }),
    )
  })

  it('expects two options that look alike as often as they are right', () => {
    const rows = Array.from({ length: 1_000 }, (_, index) =>
      rowOf([index % 2 ? 0.3 : -0.3, 0], index < 510 ? 0 : 1),
    )
    const [offset = 0, other = 0] = fitOffsets(rows, 1)
    const expected = rows.reduce(
      (sum, { placed: [first = 0, second = 0] }) => sum + 1 / (1 + Math.exp(second + other - first - offset)),
      0,
    )
    expect(expected).toBeCloseTo(510 - offset, 1)
  })

  it('stays finite where thousands of sure answers are wrong', () => {
    const rows = Array.from({ length: 5_000 }, () => rowOf([1e3, 0], 1))
    for (const offset of fitOffsets(rows, 0.05)) expect(Math.abs(offset)).toBeLessThan(1e5)
  })
})
