import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { useStoppedClock } from '../testing/clock.ts'
import type { Limiter, Taken } from './limiter.ts'
import type { Limits } from './limits.ts'

// What every limiter promises, as examples. The clock is moved; nothing waits.

const WITHIN_MS = 5_000
const LIMITS: Limits = { requestsPerSecond: 5, burst: 10, tokensPerMinute: 1_000 }

export const keepsTheLimiterContract = (limiter: () => Limiter): void => {
  useStoppedClock()

  const setup = (limits: Limits = LIMITS) => {
    const key = randomUUID()
    const ask = (tokens = 1) => limiter()(key, limits).take(tokens, WITHIN_MS)
    const take = async (tokens = 1): Promise<Taken> => {
      const verdict = await ask(tokens)
      if (verdict.kind !== 'allowed') throw new Error(verdict.kind)
      return verdict.taken
    }
    const correct = async (taken: Taken, used: number) => {
      const corrected = await limiter()(key, limits).correct(taken, used, WITHIN_MS)
      if (corrected.kind === 'unknown') throw new Error(corrected.why)
      return corrected.rates
    }
    const pass = (ms: number) => {
      vi.setSystemTime(Date.now() + ms)
    }
    return { ask, take, correct, pass }
  }

  describe('requests', () => {
    it('pass up to the burst, and then one per step of the rate', async () => {
      const { ask, take, pass } = setup()
      for (let i = 0; i < 10; i++) await take()
      expect(await ask()).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 1 })
      pass(199)
      expect(await ask()).toMatchObject({ kind: 'rate_limited' })
      pass(1)
      await take()
      expect(await ask()).toMatchObject({ kind: 'rate_limited' })
    })

    it('accumulate to no more than the burst', async () => {
      const { ask, take, pass } = setup()
      await take()
      pass(3_600_000)
      for (let i = 0; i < 10; i++) await take()
      expect(await ask()).toMatchObject({ kind: 'rate_limited' })
    })

    it.each([
      [200, 1, 5],
      [300, 3, 10],
    ])('pass evenly at %i a second', async (requestsPerSecond, step, stepMs) => {
      const burst = 2 * requestsPerSecond
      const { ask, take, pass } = setup({ requestsPerSecond, burst, tokensPerMinute: 1_000 })
      // Redis forgets a nearly full bucket by its own clock, which no test moves: requests that came one by one on a
      // busy machine might never count.
      const many = () => Promise.all(Array.from({ length: 50 }, () => ask(0)))
      const kinds: string[] = []
      while (!kinds.includes('rate_limited')) kinds.push(...(await many()).map(({ kind }) => kind))
      const passed = kinds.filter(kind => kind === 'allowed').length
      expect(passed).toBeGreaterThanOrEqual(burst)
      for (let i = 0; i < 5; i++) {
        expect(await ask(0)).toMatchObject({ kind: 'rate_limited' })
        pass(stepMs)
        for (let one = 0; one < step; one++) await take(0)
      }
    })

    it('of one key do not count against another', async () => {
      const one = setup()
      for (let i = 0; i < 10; i++) await one.take()
      await setup().take()
    })
  })

  describe('tokens', () => {
    it('are counted and reported', async () => {
      const { ask } = setup()
      expect(await ask(300)).toMatchObject({
        rates: {
          limitRequests: 5,
          remainingRequests: 9,
          resetRequestsSeconds: 1,
          limitTokens: 1_000,
          remainingTokens: 700,
          resetTokensSeconds: 60,
        },
      })
    })

    it('run out, and are all back when the reset said they would be', async () => {
      const { ask, take, correct, pass } = setup()
      await correct(await take(1_000), 1_000)
      pass(15_000)
      expect(await ask()).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 45 })
      pass(44_999)
      expect(await ask()).toMatchObject({ kind: 'token_rate_limited', retryAfterSeconds: 1 })
      pass(1)
      expect(await ask(1_000)).toMatchObject({ kind: 'allowed', rates: { remainingTokens: 0 } })
    })

    it('that a costly request cannot get are still there for a cheap one', async () => {
      const { ask } = setup()
      await ask(900)
      expect(await ask(500)).toMatchObject({
        kind: 'token_rate_limited',
        rates: { remainingTokens: 100, remainingRequests: 9 },
      })
      expect(await ask(100)).toMatchObject({ kind: 'allowed', rates: { remainingTokens: 0 } })
    })

    it('are not taken by a request that exceeds the request rate', async () => {
      const { ask, take } = setup()
      for (let i = 0; i < 10; i++) await take(10)
      expect(await ask(10)).toMatchObject({
        kind: 'rate_limited',
        rates: { remainingTokens: 900, remainingRequests: 0, resetRequestsSeconds: 2 },
      })
    })

    it('requested beyond the whole bucket are granted when it is full', async () => {
      const { ask } = setup()
      expect(await ask(5_000)).toMatchObject({ kind: 'allowed', rates: { remainingTokens: 0 } })
      expect(await ask(5_000)).toMatchObject({ kind: 'token_rate_limited' })
    })

    it('are no obstacle to a request that needs none, however many were used', async () => {
      const { ask, take, correct } = setup()
      await correct(await take(1_000), 3_000)
      expect(await ask(0)).toMatchObject({ kind: 'allowed', rates: { remainingTokens: 0 } })
      expect(await ask(1)).toMatchObject({ kind: 'token_rate_limited' })
    })
  })

  describe('a correction', () => {
    it('gives back what was taken in excess', async () => {
      const { take, correct } = setup()
      expect(await correct(await take(600), 150)).toMatchObject({
        remainingTokens: 850,
        remainingRequests: 9,
      })
    })

    it('takes what was still missing', async () => {
      const { take, correct } = setup()
      expect(await correct(await take(100), 150)).toMatchObject({ remainingTokens: 850 })
    })

    it('that arrives after the bucket was refilled does not overfill it', async () => {
      const { take, correct, pass } = setup()
      const taken = await take(900)
      pass(60_000)
      await take(100)
      expect(await correct(taken, 0)).toMatchObject({ remainingTokens: 900 })
    })
  })
}
