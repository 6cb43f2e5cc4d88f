import type { Rates } from './admission.ts'
import { TOKEN_WINDOW_MS } from './limiter.ts'
import { type Limits, limitsAt } from './limits.ts'

/** What the rates are while so much is left in the buckets, the tokens' for so long. */
export const ratesOf = (limits: Limits, requests: number, tokens: number, windowLeftMs: number): Rates => ({
  limitRequests: limits.requestsPerSecond,
  remainingRequests: Math.floor(requests),
  resetRequestsSeconds: Math.max(1, Math.ceil((limits.burst - requests) / limits.requestsPerSecond)),
  limitTokens: limits.tokensPerMinute,
  remainingTokens: tokens,
  resetTokensSeconds: Math.max(1, Math.ceil(windowLeftMs / 1_000)),
})

/** What the rates of an admission have become some time later, the reservation replaced by what was used. */
export const settledRates = (rates: Rates, reserved: number, used: number, elapsedMs: number): Rates => {
  const { limitRequests, limitTokens } = rates
  const { burst } = limitsAt(limitRequests, limitTokens)
  // A clock that was set back meanwhile takes nothing away.
  const elapsedSeconds = Math.max(0, elapsedMs / 1000)
  const refilled = Math.floor(elapsedSeconds * limitRequests)
  const seconds = Math.floor(elapsedSeconds)
  // The next window begins full, and what was reserved in the last is nothing to it.
  const isWindowOver = seconds >= rates.resetTokensSeconds
  const returned = Math.min(reserved, limitTokens) - used
  return {
    ...rates,
    remainingRequests: Math.min(burst, rates.remainingRequests + refilled),
    resetRequestsSeconds: Math.max(1, rates.resetRequestsSeconds - seconds),
    remainingTokens: isWindowOver
      ? limitTokens
      : Math.max(0, Math.min(limitTokens, rates.remainingTokens + returned)),
    resetTokensSeconds: isWindowOver ? TOKEN_WINDOW_MS / 1000 : rates.resetTokensSeconds - seconds,
  }
}
