import type { Rates } from './admission.ts'
import { type Taken, TOKEN_WINDOW_MS, type Verdict } from './limiter.ts'
import type { Limits } from './limits.ts'
import { ratesOf } from './rates.ts'

/** What was used of a token window, excluding reservations. */
export type TokenWindow = { used: number; endsAt: number }

/** The two buckets of one key, in memory. The caller supplies the time. */
export class Buckets {
  #limits: Limits
  #requests: number
  #filledAt: number
  #used: number
  #reserved = 0
  #windowEndsAt: number

  /** `window` carries over what earlier buckets of the key recorded. */
  constructor(limits: Limits, now: number, window: TokenWindow = { used: 0, endsAt: 0 }) {
    this.#limits = limits
    this.#requests = limits.burst
    this.#filledAt = now
    this.#used = window.used
    this.#windowEndsAt = window.endsAt
  }

  get window(): TokenWindow {
    return { used: this.#used, endsAt: this.#windowEndsAt }
  }

  /** Takes one request and `tokens` tokens, or nothing at all. */
  take(tokens: number, now: number): Verdict {
    this.#advance(now)
    if (this.#requests < 1) {
      // Every key has at least one request a second.
      return { kind: 'rate_limited', rates: this.rates(now), retryAfterSeconds: 1 }
    }
    // A request that asks for more than the whole bucket passes when the bucket is full; otherwise it never could.
    const wanted = Math.min(tokens, this.#limits.tokensPerMinute)
    if (wanted > this.#tokensLeft()) {
      const rates = this.rates(now)
      // Reservations far exceed actual usage, and the difference is returned within moments.
      const reservedOnly = wanted <= this.#limits.tokensPerMinute - this.#used
      return {
        kind: 'token_rate_limited',
        rates,
        retryAfterSeconds: reservedOnly ? 1 : rates.resetTokensSeconds,
      }
    }
    this.#requests -= 1
    if (now >= this.#windowEndsAt) this.#windowEndsAt = now + TOKEN_WINDOW_MS
    this.#reserved += wanted
    const taken = { tokens: wanted, windowEndsAt: this.#windowEndsAt }
    return { kind: 'allowed', rates: this.rates(now), taken }
  }

  /** Does nothing if the reservation's window has been replaced: the next one began full. */
  correct(taken: Taken, used: number): void {
    if (taken.windowEndsAt !== this.#windowEndsAt) return
    // If the clock was set back as the window ended, what was reserved in it is forgotten already.
    this.#reserved = Math.max(0, this.#reserved - taken.tokens)
    this.#used += used
  }

  /** Counts what a reservation of earlier buckets used: nothing is reserved for it here. */
  use(taken: Taken, used: number, now: number): void {
    this.#advance(now)
    if (now >= taken.windowEndsAt) return
    if (now >= this.#windowEndsAt) this.#windowEndsAt = taken.windowEndsAt
    this.#used += used
  }

  /** Returns the tokens and the request, as if it had never happened. */
  undo(taken: Taken): void {
    this.correct(taken, 0)
    this.#requests += 1
  }

  /** New limits take effect at once; usage so far still counts. */
  relimit(limits: Limits): void {
    this.#requests += Math.max(0, limits.burst - this.#limits.burst)
    this.#limits = limits
  }

  rates(now: number): Rates {
    this.#advance(now)
    const windowLeftMs = now < this.#windowEndsAt ? this.#windowEndsAt - now : TOKEN_WINDOW_MS
    return ratesOf(this.#limits, this.#requests, this.#tokensLeft(), windowLeftMs)
  }

  #advance(now: number): void {
    // Once a clock that was far ahead is corrected, a key must not wait for it to catch up.
    if (this.#filledAt - now > TOKEN_WINDOW_MS) this.#filledAt = now
    if (this.#windowEndsAt - now > 2 * TOKEN_WINDOW_MS) this.#windowEndsAt = now + TOKEN_WINDOW_MS
    const elapsed = Math.max(0, now - this.#filledAt)
    this.#requests = Math.min(
      this.#limits.burst,
      this.#requests + (elapsed / 1000) * this.#limits.requestsPerSecond,
    )
    this.#filledAt = Math.max(now, this.#filledAt)
    if (now < this.#windowEndsAt) return
    this.#used = 0
    this.#reserved = 0
  }

  /** Never below zero, or even a request that needs no tokens would have to wait. */
  #tokensLeft(): number {
    return Math.max(0, this.#limits.tokensPerMinute - this.#used - this.#reserved)
  }
}
