import { Ratelimit } from '@upstash/ratelimit'
import { Redis } from '@upstash/redis/cloudflare'
import type { Rates } from './admission.ts'
import { type Limiter, type Taken, TOKEN_WINDOW_MS, type Unknown } from './limiter.ts'
import type { Limits } from './limits.ts'

type Address = { url: string; token: string }

/** The limits of a key, kept in Redis: shared with whatever else counts there under the same names. */
export const upstashLimiter = (address: Address): Limiter => ({
  take: (key, limits, tokens, withinMs) =>
    within(withinMs, async signal => {
      const buckets = bucketsOf(address, limits, signal)
      const wanted = Math.min(tokens, limits.tokensPerMinute)
      const [request, input] = await Promise.all([
        buckets.requests.limit(key),
        buckets.tokens.limit(key, { rate: wanted }),
      ])
      const levels = { requests: request.remaining, tokens: input.remaining, windowEndsAt: input.reset }
      if (request.success && input.success) {
        const taken = { tokens: wanted, windowEndsAt: input.reset }
        return { kind: 'allowed', rates: ratesOf(limits, levels), taken }
      }
      // Both or neither: what one bucket gave goes back when the other refused. All in one round trip.
      const returned = Promise.all([
        // A refusal says that nothing remains, whatever remains: look, once all is back.
        request.success && buckets.requests.limit(key, { rate: -1 }),
        input.success && buckets.tokens.limit(key, { rate: -wanted }),
        buckets.levels(key),
      ])
      // It stays refused where the time is up before that is done.
      const rates = ratesOf(limits, await returned.then(([, , now]) => now).catch(() => levels))
      return request.success
        ? { kind: 'token_rate_limited', rates, retryAfterSeconds: rates.resetTokensSeconds }
        : { kind: 'rate_limited', rates, retryAfterSeconds: secondsUntil(request.reset) }
    }),

  correct: (key, limits, taken, used, withinMs) =>
    within(withinMs, async signal => {
      const buckets = bucketsOf(address, limits, signal)
      const isOpen = Date.now() < taken.windowEndsAt
      // One round trip for both; the look comes second.
      const [, levels] = await Promise.all([
        isOpen && giveBack(buckets.tokens, key, limits, taken, used),
        buckets.levels(key),
      ])
      return { kind: 'corrected', rates: ratesOf(limits, levels) }
    }),
})

const giveBack = async (tokens: Ratelimit, key: string, limits: Limits, taken: Taken, used: number) => {
  const { remaining } = await tokens.limit(key, { rate: used - taken.tokens })
  const excess = remaining - limits.tokensPerMinute
  // A refund may overfill the bucket, when Redis lost it in between and began a full one.
  if (excess > 0) await tokens.limit(key, { rate: excess })
}

type Levels = { requests: number; tokens: number; windowEndsAt: number }

const bucketsOf = ({ url, token }: Address, limits: Limits, signal: AbortSignal) => {
  // Made for one call: what it pipelines must not be shared between the requests of a Worker.
  const redis = new Redis({
    url,
    token,
    // Not `false`, which stands for one more try.
    retry: { retries: 0 },
    // As a function: given as a value, an aborted call would answer with the reason instead of failing.
    signal: () => signal,
    enableAutoPipelining: true,
    enableTelemetry: false,
  })
  const bucket = (name: string, refill: number, everyMs: number, capacity: number) =>
    new Ratelimit({
      redis,
      limiter: Ratelimit.tokenBucket(refill, `${everyMs} ms`, capacity),
      prefix: `decider:${name}`,
      // One refused costly request would block cheap ones.
      ephemeralCache: false,
      // Would let requests pass when time is up; we decide that ourselves.
      timeout: 0,
    })
  // The smallest steps of whole milliseconds: one request every 5 ms is smooth, 200 every second is not.
  const steps = greatestCommonDivisor(limits.requestsPerSecond, 1_000)
  const refillMs = 1_000 / steps
  const refill = limits.requestsPerSecond / steps
  const requests = bucket('requests', refill, refillMs, limits.burst)
  const tokens = bucket('tokens', limits.tokensPerMinute, TOKEN_WINDOW_MS, limits.tokensPerMinute)

  /** What is in both buckets now: Redis tells what was in them when they were last written. */
  const levels = async (key: string): Promise<Levels> => {
    const [request, input] = await Promise.all([requests.getRemaining(key), tokens.getRemaining(key)])
    const now = Date.now()
    const refills = Math.max(0, Math.ceil((now - request.reset + 1) / refillMs))
    const isOver = now >= input.reset
    return {
      requests: Math.min(limits.burst, request.remaining + refills * refill),
      tokens: isOver ? limits.tokensPerMinute : Math.min(limits.tokensPerMinute, input.remaining),
      windowEndsAt: isOver ? now + TOKEN_WINDOW_MS : input.reset,
    }
  }
  return { requests, tokens, levels }
}

const ratesOf = (limits: Limits, { requests, tokens, windowEndsAt }: Levels): Rates => ({
  limitRequests: limits.requestsPerSecond,
  remainingRequests: requests,
  resetRequestsSeconds: Math.max(1, Math.ceil((limits.burst - requests) / limits.requestsPerSecond)),
  limitTokens: limits.tokensPerMinute,
  remainingTokens: tokens,
  resetTokensSeconds: secondsUntil(windowEndsAt),
})

const secondsUntil = (time: number): number => Math.max(1, Math.ceil((time - Date.now()) / 1_000))

/** Runs all of the work inside one deadline. The errors of Redis quote commands, so nothing of them leaves. */
const within = async <Outcome>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome | Unknown> => {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), ms)
  try {
    return await work(deadline.signal)
  } catch {
    return { kind: 'unknown', why: deadline.signal.aborted ? 'timeout' : 'error' }
  } finally {
    clearTimeout(timer)
  }
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)
