import type { Rates } from './admission.ts'
import type { Limits } from './limits.ts'

export type Verdict =
  | { kind: 'allowed'; rates: Rates; taken: Taken }
  | { kind: 'rate_limited' | 'token_rate_limited'; rates: Rates; retryAfterSeconds: number }

/** What a verdict took from the token bucket, and from which of its minutes. */
export type Taken = { tokens: number; windowEndsAt: number }

/**
 * Counts requests and input tokens of one key. A request takes one from a bucket that refills steadily up to
 * the burst; tokens come out of a bucket that is filled anew 60 seconds after it was first used.
 */
export type Limiter = {
  take(key: string, limits: Limits, tokens: number): Promise<Verdict>
  /** Replaces what was taken by what was really used. */
  correct(key: string, limits: Limits, taken: Taken, used: number): Promise<Rates>
}

export const TOKEN_WINDOW_MS = 60_000
