import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Buckets } from './buckets.ts'
import { limitsAt } from './limits.ts'
import { ratesOf, settledRates } from './rates.ts'

const limits = fc
  .record({ requests: fc.integer({ min: 1, max: 1_000 }), tokens: fc.integer({ min: 1, max: 1e6 }) })
  .map(({ requests, tokens }) => limitsAt(requests, tokens))

/** A window ends on an exact millisecond. */
const elapsedMs = fc.oneof(fc.nat(200_000), fc.constantFrom(999, 1_000, 59_999, 60_000, 60_001))

const NOW = Date.UTC(2026, 10, 21)

describe('the rates an answer carries', () => {
  it('are those of the bucket, if nobody else takes from it', () => {
    fc.assert(
      fc.property(
        ...[limits, fc.nat(1_000_000), fc.nat(1_000_000), elapsedMs],
        (given, tokens, used, elapsed) => {
          const buckets = new Buckets(given, NOW)
          const verdict = buckets.take(tokens, NOW)
          if (verdict.kind !== 'allowed') throw new Error(verdict.kind)
          const told = settledRates(verdict.rates, tokens, used, elapsed)
          buckets.correct(verdict.taken, used)
          expect(told).toEqual(buckets.rates(NOW + elapsed))
        },
      ),
    )
  })

  it('name a second at least until the buckets are full again, even if they should be full by now', () => {
    const full = ratesOf(limitsAt(200, 1_000), 400, 1_000, -1)
    expect(full).toMatchObject({ resetRequestsSeconds: 1, resetTokensSeconds: 1 })
  })

  it('lose nothing if the clock is set back meanwhile', () => {
    const buckets = new Buckets(limitsAt(200, 1_000), NOW)
    const { rates } = buckets.take(10, NOW)
    expect(settledRates(rates, 10, 5, -3_600_000)).toEqual(settledRates(rates, 10, 5, 0))
  })
})
