import { Ratelimit } from '@upstash/ratelimit'
import { Redis } from '@upstash/redis/cloudflare'
import type { Rates } from './admission.ts'
import { type Limiter, TOKEN_WINDOW_MS, type Unknown } from './limiter.ts'
import type { Limits } from './limits.ts'
import { ratesOf } from './rates.ts'

type Address = { url: string; token: string }

/** The limits of a key, kept in Redis and shared with whatever else counts there under the same names. */
export const upstashLimiter =
  (address: Address): Limiter =>
  (key, limits) => ({
    take: (tokens, withinMs) =>
      within(withinMs, async signal => {
        const buckets = bucketsOf(address, key, limits, signal)
        const wanted = Math.min(tokens, limits.tokensPerMinute)
        const [request, input] = await Promise.all([buckets.requests.take(1), buckets.tokens.take(wanted)])
        if (request.success && input.success) {
          const taken = { tokens: wanted, windowEndsAt: input.reset }
          return { kind: 'allowed', rates: ratesAt(limits, request, input), taken }
        }
        // Both or neither: what one bucket gave goes back if the other refused. A refusal always reports that nothing
        // remains, so look up the true figure.
        const returned = Promise.all([
          request.success ? buckets.requests.giveBack(1) : buckets.requests.look(),
          input.success ? buckets.tokens.giveBack(wanted) : buckets.tokens.look(),
        ])
        // If the time runs out before that is done, the request is still refused.
        const [requestNow, inputNow] = await returned.catch(() => [request, input] as const)
        const rates = ratesAt(limits, requestNow, inputNow)
        return request.success
          ? { kind: 'token_rate_limited', rates, retryAfterSeconds: rates.resetTokensSeconds }
          : // Every key has at least one request a second.
            { kind: 'rate_limited', rates, retryAfterSeconds: 1 }
      }),

    correct: (taken, used, withinMs) =>
      within(withinMs, async signal => {
        const buckets = bucketsOf(address, key, limits, signal)
        const isOpen = Date.now() < taken.windowEndsAt
        const unused = taken.tokens - used
        const [request, input] = await Promise.all([
          buckets.requests.look(),
          isOpen ? buckets.tokens.giveBack(unused) : buckets.tokens.look(),
        ])
        // Redis lost the bucket in between and started a full one. Others may have overfilled it as well: each takes
        // out no more than it put in, or together they would empty it.
        const excess = Math.min(unused, input.remaining - limits.tokensPerMinute)
        if (isOpen && excess > 0) await buckets.tokens.takeOut(excess)
        return { kind: 'corrected', rates: ratesAt(limits, request, input) }
      }),
  })

/** What is left in a bucket, and when it is next refilled. If too much is given back, it holds too much until then. */
type Level = { remaining: number; reset: number }

type Bucket = {
  take(amount: number): Promise<Level & { success: boolean }>
  giveBack(amount: number): Promise<Level>
  /** Undoes as much of giving back. */
  takeOut(amount: number): Promise<unknown>
  look(): Promise<Level>
}

const bucketsOf = ({ url, token }: Address, key: string, limits: Limits, signal: AbortSignal) => {
  // Made for one call: requests of a Worker must not share what it pipelines.
  const redis = new Redis({
    url,
    token,
    // Not `false`, which means one more try.
    retry: { retries: 0 },
    // A function: with a plain value, an aborted call would return the reason instead of failing.
    signal: () => signal,
    enableAutoPipelining: true,
    enableTelemetry: false,
  })
  const bucket = (prefix: string, refill: number, everyMs: number, capacity: number): Bucket => {
    const counter = new Ratelimit({
      redis,
      limiter: Ratelimit.tokenBucket(refill, `${everyMs} ms`, capacity),
      prefix,
      // The cache would let one refused costly request block cheap ones.
      ephemeralCache: false,
      // A timeout would let requests pass when time runs out; we decide that ourselves.
      timeout: 0,
    })
    const look = async (): Promise<Level> => {
      // These figures are from when the bucket was last written.
      const { remaining, reset } = readable(await counter.getRemaining(key))
      const refills = Math.max(0, Math.floor((Date.now() - reset) / everyMs) + 1)
      return {
        remaining: Math.min(capacity, remaining + refills * refill),
        reset: reset + refills * everyMs,
      }
    }
    const count = async (amount: number) => readable(await counter.limit(key, { rate: amount }))
    // The script sets no expiry on a bucket that is full when written, so Redis would keep it for ever.
    const countAndExpire = async (amount: number): Promise<Level> => {
      const [level] = await Promise.all([count(amount), redis.pexpire(`${prefix}:${key}`, TOKEN_WINDOW_MS)])
      return level
    }
    return {
      look,
      take: async amount => (amount === 0 ? { success: true, ...(await look()) } : count(amount)),
      giveBack: amount => countAndExpire(-amount),
      // A Redis that was restarted has lost its scripts too: then giving back has written only after the expiry was set.
      takeOut: countAndExpire,
    }
  }
  // The smallest step that takes whole milliseconds: one request every 5 ms is smooth, 200 every second is not.
  const steps = greatestCommonDivisor(limits.requestsPerSecond, 1_000)
  return {
    requests: bucket('decider:requests', limits.requestsPerSecond / steps, 1_000 / steps, limits.burst),
    tokens: bucket('decider:tokens', limits.tokensPerMinute, TOKEN_WINDOW_MS, limits.tokensPerMinute),
  }
}

/** Throws if what answers is not Redis; otherwise its answer would pass for figures, and everybody would be refused. */
const readable = <Figures extends Level>(figures: Figures): Figures => {
  if (!Number.isFinite(figures.remaining) || !Number.isFinite(figures.reset)) throw new Error('no figures')
  return figures
}

/** If another service's clock is ahead, the window lasts no longer than Redis keeps what that service wrote. */
const ratesAt = (limits: Limits, requests: Level, tokens: Level): Rates =>
  ratesOf(
    limits,
    Math.min(limits.burst, requests.remaining),
    Math.min(limits.tokensPerMinute, tokens.remaining),
    Math.min(TOKEN_WINDOW_MS, tokens.reset - Date.now()),
  )

/** Runs all of the work within one deadline. Redis errors quote commands, so none of their text gets out. */
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
