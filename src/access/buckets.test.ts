import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Buckets } from './buckets.ts'
import type { Taken } from './limiter.ts'
import { limitsOf } from './limits.ts'

const STANDARD = limitsOf('standard')

const take = (buckets: Buckets, tokens: number, now: number): Taken => {
  const verdict = buckets.take(tokens, now)
  if (verdict.kind !== 'allowed') throw new Error(verdict.kind)
  return verdict.taken
}

describe('the request bucket', () => {
  it('is smaller for a playground key', () => {
    const buckets = new Buckets(limitsOf('playground'), 0)
    for (let i = 0; i < 10; i++) expect(buckets.take(1, 0).kind).toBe('allowed')
    expect(buckets.take(1, 0)).toMatchObject({ kind: 'rate_limited', rates: { limitRequests: 5 } })
  })

  it('never lets more through than the burst and the rate allow', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 1, maxLength: 2_000, size: 'max' }), gaps => {
        const limits = limitsOf('playground')
        const buckets = new Buckets(limits, 0)
        let now = 0
        let allowed = 0
        for (const gap of gaps) {
          now += gap
          if (buckets.take(1, now).kind === 'allowed') allowed += 1
          expect(allowed).toBeLessThanOrEqual(limits.burst + (now / 1000) * limits.requestsPerSecond + 1e-6)
        }
      }),
    )
  })

  it('reports what it holds now and how many seconds until it is full', () => {
    const buckets = new Buckets(STANDARD, 0)
    for (let i = 0; i < 201; i++) take(buckets, 0, 0)
    expect(buckets.rates(0)).toMatchObject({ remainingRequests: 199, resetRequestsSeconds: 2 })
    expect(buckets.rates(10)).toMatchObject({ remainingRequests: 201, resetRequestsSeconds: 1 })
  })

  it('gets a request and its tokens back when the request is undone', () => {
    const buckets = new Buckets(STANDARD, 0)
    const first = take(buckets, 100, 0)
    buckets.undo(take(buckets, 1_000, 0))
    expect(buckets.rates(0)).toMatchObject({ remainingRequests: 399, remainingTokens: 19_999_900 })
    buckets.undo(first)
    expect(buckets.rates(3_600_000)).toMatchObject({ remainingRequests: 400, resetRequestsSeconds: 1 })
  })

  it('stands still when the clock goes back', () => {
    const buckets = new Buckets(STANDARD, 1_000)
    take(buckets, 1, 1_000)
    expect(buckets.rates(0).remainingRequests).toBe(399)
    expect(buckets.rates(1_000).remainingRequests).toBe(399)
  })
})

describe('a clock that was ahead', () => {
  const DAY_MS = 24 * 3_600_000

  it.each([61_000, DAY_MS])('by %i ms keeps nobody waiting once it is corrected', aheadMs => {
    const buckets = new Buckets(STANDARD, aheadMs)
    for (let i = 0; i < 399; i++) take(buckets, 1, aheadMs)
    buckets.correct(take(buckets, 20_000_000 - 399, aheadMs), 20_000_000)
    expect(buckets.take(1, 0).kind).toBe('rate_limited')
    expect(buckets.take(1, 1_000)).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 59 })
    expect(buckets.take(1, 60_000).kind).toBe('allowed')
  })

  it('by less than a minute does not keep a request from getting back what its reservation overestimated', () => {
    const buckets = new Buckets(STANDARD, 59_000)
    const taken = take(buckets, 1_000, 59_000)
    expect(buckets.rates(0).remainingTokens).toBe(20_000_000 - 1_000)
    buckets.correct(taken, 300)
    expect(buckets.rates(0).remainingTokens).toBe(20_000_000 - 300)
  })

  it('by a second gives back nothing that was reserved in a minute that has ended', () => {
    const buckets = new Buckets(STANDARD, 0)
    const taken = take(buckets, 1_000, 0)
    expect(buckets.rates(60_000).remainingTokens).toBe(20_000_000)
    buckets.correct(taken, 300)
    expect(buckets.rates(59_000).remainingTokens).toBe(20_000_000 - 300)
  })

  it('nor if something that was reserved before the object left memory is settled in between', () => {
    const early = take(new Buckets(STANDARD, 0), 1_000, 0)
    const buckets = new Buckets(STANDARD, 10_000, { used: 0, endsAt: 60_000 })
    const taken = take(buckets, 1_000, 20_000)
    buckets.rates(60_000)
    buckets.use(early, 200, 59_000)
    buckets.correct(taken, 300)
    expect(buckets.rates(59_000).remainingTokens).toBe(20_000_000 - 500)
  })

  it('by a day leaves no window on disk that lasts more than a minute', () => {
    const before = new Buckets(STANDARD, DAY_MS)
    before.correct(take(before, 20_000_000, DAY_MS), 20_000_000)
    const after = new Buckets(STANDARD, 0, before.window)
    expect(after.take(1, 0)).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 60 })
    expect(after.take(1, 60_000).kind).toBe('allowed')
  })
})

describe('the token bucket', () => {
  it('is refilled 60 seconds after it was first used', () => {
    const buckets = new Buckets(STANDARD, 0)
    buckets.correct(take(buckets, 20_000_000, 10_000), 20_000_000)
    expect(buckets.take(1, 40_000)).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 30 })
    expect(buckets.take(1, 69_999)).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 1 })
    expect(buckets.take(1, 70_000).kind).toBe('allowed')
    expect(buckets.rates(70_000)).toMatchObject({ remainingTokens: 19_999_999, resetTokensSeconds: 60 })
  })

  it('says to retry after one second if the tokens are only reserved', () => {
    const buckets = new Buckets(STANDARD, 0)
    const taken = take(buckets, 20_000_000, 0)
    expect(buckets.take(20_000_000, 100)).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 1 })
    buckets.correct(taken, 19_999_500)
    expect(buckets.take(1_000, 300)).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 60 })
    expect(buckets.take(500, 300).kind).toBe('allowed')
  })

  it('continues from earlier buckets of the key, and counts what their reservations used', () => {
    const before = new Buckets(STANDARD, 0)
    before.correct(take(before, 5_000, 0), 1_000)
    const open = take(before, 7_000, 20)
    const after = new Buckets(STANDARD, 30_000, before.window)
    expect(after.rates(30_000)).toMatchObject({ remainingTokens: 19_999_000, resetTokensSeconds: 30 })
    after.use(open, 300, 40_000)
    expect(after.rates(40_000).remainingTokens).toBe(19_998_700)
    after.use(open, 300, 60_000)
    expect(after.rates(60_000).remainingTokens).toBe(20_000_000)
  })

  it('opens the window of a reservation it never saw', () => {
    const open = take(new Buckets(STANDARD, 0), 7_000, 20_000)
    const after = new Buckets(STANDARD, 30_000)
    after.use(open, 300, 40_000)
    expect(after.rates(40_000)).toMatchObject({ remainingTokens: 19_999_700, resetTokensSeconds: 40 })
    const withOldNews = new Buckets(STANDARD, 30_000, { used: 5_000, endsAt: 40_000 })
    withOldNews.use(open, 300, 40_000)
    expect(withOldNews.rates(40_000)).toMatchObject({ remainingTokens: 19_999_700, resetTokensSeconds: 40 })
  })

  it('counts what a reservation of earlier buckets used in the window open at that time, if at all', () => {
    const open = take(new Buckets(STANDARD, 0), 7_000, 0)
    const after = new Buckets(STANDARD, 30_000)
    take(after, 1_000, 30_000)
    after.use(open, 300, 40_000)
    expect(after.rates(40_000)).toMatchObject({ remainingTokens: 19_998_700, resetTokensSeconds: 50 })
    after.use(open, 300, 60_000)
    expect(after.rates(60_000)).toMatchObject({ remainingTokens: 19_998_700, resetTokensSeconds: 30 })
  })

  it('always holds between zero and its limit, whatever is taken and corrected', () => {
    const step = fc.record({ gap: fc.nat(90_000), tokens: fc.nat(30_000_000), used: fc.nat(30_000_000) })
    fc.assert(
      fc.property(fc.array(step), steps => {
        const buckets = new Buckets(STANDARD, 0)
        let now = 0
        for (const { gap, tokens, used } of steps) {
          now += gap
          const verdict = buckets.take(tokens, now)
          if (verdict.kind === 'allowed') buckets.correct(verdict.taken, used)
          const rates = buckets.rates(now + 50)
          expect(rates.remainingTokens).toBeGreaterThanOrEqual(0)
          expect(rates.remainingTokens).toBeLessThanOrEqual(rates.limitTokens)
          expect(rates.resetTokensSeconds).toBeGreaterThanOrEqual(1)
          expect(rates.resetTokensSeconds).toBeLessThanOrEqual(60)
        }
      }),
    )
  })
})

describe('new limits', () => {
  it('take effect at once, and usage so far still counts', () => {
    const buckets = new Buckets(STANDARD, 0)
    take(buckets, 1_000, 0)
    buckets.relimit(limitsOf('standard', { requestsPerSecond: 1_000, tokensPerMinute: 40_000_000 }))
    expect(buckets.rates(0)).toMatchObject({ remainingRequests: 1_999, remainingTokens: 39_999_000 })
    buckets.relimit(STANDARD)
    expect(buckets.rates(0)).toMatchObject({ remainingRequests: 400, remainingTokens: 19_999_000 })
    take(buckets, 0, 0)
    buckets.relimit(STANDARD)
    expect(buckets.rates(0).remainingRequests).toBe(399)
  })
})
