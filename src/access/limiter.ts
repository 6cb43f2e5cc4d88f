import type { Rates } from './admission.ts'
import type { Limits } from './limits.ts'

export type Verdict =
  | { kind: 'allowed'; rates: Rates; taken: Taken }
  | { kind: 'rate_limited' | 'token_rate_limited'; rates: Rates; retryAfterSeconds: number }

/** The limiter could not be asked. What that means is the caller's to decide. */
export type Unknown = { kind: 'unknown'; why: 'timeout' | 'error' }

export type Corrected = { kind: 'corrected'; rates: Rates }

/** What a verdict took from the token bucket, and until when that matters. */
export type Taken = { tokens: number; windowEndsAt: number }

/**
 * Counts requests and input tokens of one key. A request takes one from a bucket that refills steadily up to
 * the burst; tokens come out of a bucket that is filled anew every 60 seconds. Both or neither are taken.
 * A request that asks for more tokens than the bucket ever holds passes when the bucket is full.
 */
export type Limiter = {
  take(key: string, limits: Limits, tokens: number, withinMs: number): Promise<Verdict | Unknown>
  /** Replaces what was taken by what was really used. */
  correct(
    key: string,
    limits: Limits,
    taken: Taken,
    used: number,
    withinMs: number,
  ): Promise<Corrected | Unknown>
}

export const TOKEN_WINDOW_MS = 60_000
