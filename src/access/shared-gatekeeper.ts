import type { Gatekeeper, Rates } from './admission.ts'
import { type Limiter, TOKEN_WINDOW_MS, type Unknown } from './limiter.ts'
import { limitsAt } from './limits.ts'
import { settledRates } from './rates.ts'

/** How long a shared limiter may delay a request, admission and settlement together. */
export const SHARED_BUDGET_MS = 250

type SharedGatekeeperOptions = {
  own: Gatekeeper
  /** Shares its counts with other services and regions. */
  shared: Limiter
  /** Called when the shared limiter could not be asked. */
  report: (why: Unknown['why']) => void
}

/** A gatekeeper whose admissions a shared limiter has to confirm. */
export const sharedGatekeeper = ({ own, shared, report }: SharedGatekeeperOptions): Gatekeeper => ({
  identify: own.identify,
  admit: async (keyHash, tokens) => {
    const admission = await own.admit(keyHash, tokens)
    if (admission.kind !== 'admitted') return admission
    const startedAt = Date.now()
    const limits = limitsAt(admission.rates.limitRequests, admission.rates.limitTokens)
    const limiter = shared(keyHash, limits)
    const verdict = await limiter.take(tokens, SHARED_BUDGET_MS)
    // If the shared limiter cannot be asked, the Gate's own buckets have decided alone.
    if (verdict.kind === 'unknown') {
      report(verdict.why)
      if (verdict.why === 'error') return admission
      // It may have counted although its answer came too late, so what was not used goes back. Nobody waits for that.
      const taken = {
        tokens: Math.min(tokens, limits.tokensPerMinute),
        windowEndsAt: startedAt + TOKEN_WINDOW_MS,
      }
      return {
        ...admission,
        settle: async spent => {
          const { rates, delivered } = await admission.settle(spent)
          const corrected = limiter.correct(taken, spent.inputTokens, SHARED_BUDGET_MS)
          return { rates, delivered: Promise.all([delivered, corrected]).then(() => undefined) }
        },
      }
    }
    if (verdict.kind !== 'allowed') {
      // A Gate that does not hear of it gets its tokens back when the minute ends.
      await admission.cancel().catch(() => undefined)
      const { keyId, accountId } = admission
      return { ...verdict, keyId, accountId, rates: stricter(before(admission.rates, tokens), verdict.rates) }
    }
    const rates = stricter(admission.rates, verdict.rates)
    // If the clock was set back meanwhile, no time counts as passed.
    const tookMs = Math.max(0, Date.now() - startedAt)
    const leftMs = Math.max(1, SHARED_BUDGET_MS - tookMs)
    return {
      ...admission,
      rates,
      settle: async spent => {
        const { taken } = verdict
        const [settled, corrected] = await Promise.all([
          admission.settle(spent),
          limiter.correct(taken, spent.inputTokens, leftMs),
        ])
        if (corrected.kind !== 'unknown') {
          return { ...settled, rates: stricter(settled.rates, corrected.rates) }
        }
        report(corrected.why)
        return settled
      },
    }
  },
})

/** The Gate's rates once it has its request and tokens back. */
const before = (rates: Rates, tokens: number): Rates =>
  settledRates({ ...rates, remainingRequests: rates.remainingRequests + 1 }, tokens, 0, 0)

/** What both allow: for each kind of bucket, the one with less in it. */
const stricter = (one: Rates, other: Rates): Rates => {
  const requests = one.remainingRequests <= other.remainingRequests ? one : other
  const tokens = one.remainingTokens <= other.remainingTokens ? one : other
  return {
    ...one,
    remainingRequests: requests.remainingRequests,
    resetRequestsSeconds: requests.resetRequestsSeconds,
    remainingTokens: tokens.remainingTokens,
    resetTokensSeconds: tokens.resetTokensSeconds,
  }
}
