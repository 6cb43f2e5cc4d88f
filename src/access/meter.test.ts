import { describe, expect, it } from 'vitest'
import { acknowledge, count, emptyMeter, seal, toHandOver } from './meter.ts'

const spent = { inputTokens: 10, costNanodollars: 1_000 }

describe('the meter', () => {
  it('seals what is open under the next number', () => {
    const sealed = seal(count(count(emptyMeter, spent), spent))
    expect(sealed).toMatchObject({
      sequence: 1,
      sealed: { requests: 2, inputTokens: 20, nanodollars: 2_000 },
      open: { requests: 0 },
    })
  })

  it('keeps a sealed hand-over unchanged until it arrives, whatever is counted meanwhile', () => {
    const first = seal(count(emptyMeter, spent))
    const later = seal(count(first, spent))
    expect(later.sequence).toBe(1)
    expect(later.sealed).toEqual(first.sealed)
    expect(toHandOver(later)).toBe(2_000)
    expect(seal(acknowledge(later))).toMatchObject({ sequence: 2, sealed: { requests: 1 } })
  })

  it('seals nothing if nothing was counted', () => {
    expect(seal(emptyMeter)).toEqual(emptyMeter)
  })
})
