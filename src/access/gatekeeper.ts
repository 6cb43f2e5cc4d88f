import type { Gatekeeper, Rates } from './admission.ts'
import type { Gate } from './gate.ts'
import type { Limiter, Taken, Unknown } from './limiter.ts'
import { type Limits, limitsAt } from './limits.ts'
import { upstashLimiter } from './upstash-limiter.ts'

/** What a shared limiter may hold a request up by, admission and settlement together. */
const SHARED_BUDGET_MS = 250

export type GatekeeperOptions = {
  gates: DurableObjectNamespace<Gate>
  /** Counts beside the Gates, together with other services and regions. */
  shared?: Limiter | null
  /** Told when the shared limiter could not be asked. */
  report?: (why: Unknown['why']) => void
}

/**
 * Admission by Gates: one call to admit, one to settle. Where a shared limiter is configured, it has to agree.
 */
export const gatekeeper = ({ gates, shared = null, report = () => {} }: GatekeeperOptions): Gatekeeper => ({
  admit: async (keyHash, tokens) => {
    const gate = gates.getByName(keyHash)
    const admission = await gate.admit(tokens)
    if (shared === null || admission.kind !== 'admitted') return admission
    const startedAt = Date.now()
    const verdict = await shared.take(keyHash, limitsIn(admission.rates), tokens, SHARED_BUDGET_MS)
    // Where the shared limiter cannot be asked, the Gate's own buckets have decided alone.
    if (verdict.kind === 'unknown') {
      report(verdict.why)
      return admission
    }
    const rates = stricter(admission.rates, verdict.rates)
    if (verdict.kind === 'allowed') {
      const leftMs = SHARED_BUDGET_MS - (Date.now() - startedAt)
      const held: Held = { own: admission.reservation, taken: verdict.taken, leftMs, limits: limitsIn(rates) }
      return { ...admission, rates, reservation: JSON.stringify(held) }
    }
    await gate.cancel(admission.reservation)
    const { keyId, accountId } = admission
    return { ...verdict, keyId, accountId, rates }
  },

  settle: async (keyHash, reservation, spent) => {
    const gate = gates.getByName(keyHash)
    if (shared === null || !reservation.startsWith('{')) return gate.settle(reservation, spent)
    const { own, taken, limits, leftMs } = JSON.parse(reservation) as Held
    const [rates, corrected] = await Promise.all([
      gate.settle(own, spent),
      shared.correct(keyHash, limits, taken, spent.inputTokens, Math.max(1, leftMs)),
    ])
    return corrected.kind === 'unknown' ? rates : stricter(rates, corrected.rates)
  },
})

/** The gatekeeper an environment configures: Gates alone, or Upstash beside them. */
export const gatekeeperFor = (env: Env, report?: (why: Unknown['why']) => void): Gatekeeper => {
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env
  const shared = url && token ? upstashLimiter({ url, token }) : null
  return gatekeeper({ gates: env.GATE, shared, ...(report && { report }) })
}

/** A reservation with the Gate and with the shared limiter, as one. */
type Held = { own: string; taken: Taken; limits: Limits; leftMs: number }

const limitsIn = ({ limitRequests, limitTokens }: Rates): Limits => limitsAt(limitRequests, limitTokens)

/** What both allow: of either bucket, the one with less in it. */
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
