import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { floatToHalf, halfToFloat } from './half.ts'

describe('half precision', () => {
  it('comes back as it was, for all of its numbers', () => {
    const all = Array.from({ length: 65_536 }, (_, bits) => bits).filter(
      bits => !Number.isNaN(halfToFloat(bits)),
    )
    expect(all.map(bits => floatToHalf(halfToFloat(bits)))).toEqual(all)
  })

  it('is rounded to the nearest, of two to the even one', () => {
    fc.assert(
      fc.property(fc.double({ min: -65_000, max: 65_000, noNaN: true }), wide => {
        const value = Math.fround(wide)
        const bits = floatToHalf(value)
        const gap = (other: number) => Math.abs(halfToFloat(other) - value)
        for (const other of [bits - 1, bits + 1]) {
          if (Number.isFinite(halfToFloat(other)) && (other & 0x7fff) < 0x7c00)
            expect(gap(bits)).toBeLessThanOrEqual(gap(other))
        }
      }),
      { numRuns: 2_000 },
    )
    expect(floatToHalf(2049)).toBe(floatToHalf(2048))
    expect(floatToHalf(2051)).toBe(floatToHalf(2052))
    expect([floatToHalf(70_000), floatToHalf(-70_000)]).toEqual([0x7c00, 0xfc00])
    expect(halfToFloat(floatToHalf(Number.NaN))).toBeNaN()
  })
})
