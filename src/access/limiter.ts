import type { Rates } from './admission.ts'
import type { Limits } from './limits.ts'

export type Verdict =
  | { kind: 'allowed'; rates: Rates; taken: Taken }
  | { kind: 'rate_limited' | 'token_rate_limited'; rates: Rates; retryAfterSeconds: number }

/** The limiter could not be asked. The caller decides what that means. */
export type Unknown = { kind: 'unknown'; why: 'timeout' | 'error' }

export type Corrected = { kind: 'corrected'; rates: Rates }

/** What a verdict took from the token bucket, and until when it counts. */
export type Taken = { tokens: number; windowEndsAt: number }

/**
 * Counts the requests and input tokens of each key. The request bucket refills steadily up to the burst; the token
 * bucket is refilled completely every 60 seconds. A request takes from both or from neither.
 * A request that asks for more tokens than the bucket ever holds passes when the bucket is full.
 */
export type Limiter = (
  key: string,
  limits: Limits,
) => {
  take(tokens: number, withinMs: number): Promise<Verdict | Unknown>
  /** Replaces what was taken with actual usage. */
  correct(taken: Taken, used: number, withinMs: number): Promise<Corrected | Unknown>
}

export const TOKEN_WINDOW_MS = 60_000
