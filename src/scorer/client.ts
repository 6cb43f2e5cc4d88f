import { HEADERS, MAX_SCORE_ANSWER_BYTES, type NamedKey, type ScorerHealth } from '../../scorer/protocol.ts'
import type { ScorerCall, ScorerFault } from '../fault.ts'
import { present } from '../present.ts'
import { readAnswer, readHealth } from './answer.ts'
import { exchange, ScorerFailure } from './exchange.ts'
import { engineTimeout, type Scorer } from './scorer.ts'
import { signed } from './signature.ts'
import { affinityTag } from './tags.ts'

const HEALTH_MAX_AGE_MS = 1_000
const CATALOGUE_MAX_AGE_MS = 10_000
const HEALTH_DEADLINE_MS = 2_000
const MAX_HEALTH_BYTES = 1_000_000

type ScorerSettings = {
  url: string
  key: NamedKey
  /** Keys the affinity tag. */
  tenantSecret: string
  now: () => number
  report: (fault: ScorerFault, call: ScorerCall) => void
}

/** The scorer at an address. */
export const scorerAt = ({ url, key, tenantSecret, now, report }: ScorerSettings): Scorer => {
  const base = url.replace(/\/+$/, '')
  let heard: ScorerHealth | null = null
  let latest: ScorerHealth | ScorerFault = 'unreachable'
  let probedAt = Number.NEGATIVE_INFINITY
  let probingSince = Number.NEGATIVE_INFINITY

  const probe = async (): Promise<void> => {
    probingSince = now()
    const limits = { deadlineMs: HEALTH_DEADLINE_MS, maxBytes: MAX_HEALTH_BYTES }
    try {
      latest = heard = readHealth(await exchange(`${base}/healthz`, {}, limits))
    } catch (error) {
      if (!(error instanceof ScorerFailure)) throw error
      report(error.fault, { call: 'health' })
      latest = error.fault
    }
    probedAt = now()
    probingSince = Number.NEGATIVE_INFINITY
  }

  /** True of the future too: once a clock that was ahead is corrected, old news must not be kept that long. */
  const isLongAgo = (at: number, ms: number): boolean => Math.abs(now() - at) > ms

  /** While one request asks, the others do with what was heard before. But that request may be cut off. */
  const isDue = (maxAgeMs: number): boolean =>
    isLongAgo(probedAt, maxAgeMs) && (heard === null || isLongAgo(probingSince, HEALTH_DEADLINE_MS))

  return {
    score: async (units, { deadlineMs, requestId }) => {
      const body = UTF8.encode(JSON.stringify({ units }))
      const first = present(units[0], 'a unit to score')
      const headers = {
        'content-type': 'application/json',
        [HEADERS.signature]: signed({ route: '/score', tenant: first.tenant, body }, now(), key),
        [HEADERS.deadline]: String(deadlineMs),
        [HEADERS.affinity]: affinityTag(first, tenantSecret),
        [HEADERS.tenant]: first.tenant,
      }
      try {
        const limits = { deadlineMs, maxBytes: MAX_SCORE_ANSWER_BYTES }
        return readAnswer(await exchange(`${base}/score`, { method: 'POST', headers, body }, limits), units)
      } catch (error) {
        if (!(error instanceof ScorerFailure)) throw error
        report(error.fault, { call: 'score', ...(requestId !== undefined && { request_id: requestId }) })
        throw engineTimeout()
      }
    },

    health: async () => {
      if (isDue(HEALTH_MAX_AGE_MS)) await probe()
      return latest
    },

    // The catalogue outlives a scorer that goes away: a request to score then learns of its absence.
    catalogue: async () => {
      if (heard === null || isDue(CATALOGUE_MAX_AGE_MS)) await probe()
      return heard
    },
  }
}

const UTF8 = new TextEncoder()
