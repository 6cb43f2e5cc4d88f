import type { Rates } from './admission.ts'
import { TOKEN_WINDOW_MS } from './limiter.ts'
import { type Limits, limitsAt } from './limits.ts'

/** The rates with this much left in the buckets, and this long left of the token window. */
export const ratesOf = (limits: Limits, requests: number, tokens: number, windowLeftMs: number): Rates => ({
  limitRequests: limits.requestsPerSecond,
  remainingRequests: Math.floor(requests),
  resetRequestsSeconds: Math.max(1, Math.ceil((limits.burst - requests) / limits.requestsPerSecond)),
  limitTokens: limits.tokensPerMinute,
  remainingTokens: tokens,
  resetTokensSeconds: Math.max(1, Math.ceil(windowLeftMs / 1_000)),
})

/** The rates of an admission some time later, with the reservation replaced by actual usage. */
export const settledRates = (rates: Rates, reserved: number, used: number, elapsedMs: number): Rates => {
  const { limitRequests, limitTokens } = rates
  const { burst } = limitsAt(limitRequests, limitTokens)
  // If the clock was set back meanwhile, no time counts as passed.
  const elapsedSeconds = Math.max(0, elapsedMs / 1000)
  const refilled = Math.floor(elapsedSeconds * limitRequests)
  const seconds = Math.floor(elapsedSeconds)
  // The next window begins full, whatever was reserved in the last.
  const isWindowOver = seconds >= rates.resetTokensSeconds
  const returned = Math.min(reserved, limitTokens) - used
  return {
    ...rates,
    remainingRequests: Math.min(burst, rates.remainingRequests + refilled),
    resetRequestsSeconds: Math.max(1, rates.resetRequestsSeconds - seconds),
    remainingTokens: isWindowOver ? limitTokens : Math.max(0, rates.remainingTokens + returned),
    resetTokensSeconds: isWindowOver ? TOKEN_WINDOW_MS / 1000 : rates.resetTokensSeconds - seconds,
  }
}
