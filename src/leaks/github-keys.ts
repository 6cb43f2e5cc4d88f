import * as v from 'valibot'
import { bytesOf } from '../http/bytes.ts'

/** The public key that GitHub publishes under an identifier, as PEM, or why there is none. */
type PublicKey = { kind: 'published'; pem: string } | { kind: 'unknown' } | { kind: 'unheard' }
export type PublicKeySource = (identifier: string) => Promise<PublicKey>

const FETCH_TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 64 * 1_024
/** However many unknown identifiers are sent, GitHub is not asked again sooner unless it did not answer. */
const REFETCH_AFTER_MS = 60_000
const RETRY_AFTER_MS = 2_000
const LOOK_AGAIN_MS = 50

const Published = v.object({
  public_keys: v.pipe(v.array(v.object({ key_identifier: v.string(), key: v.string() })), v.maxLength(100)),
})

type Surroundings = {
  url: string
  /** GitHub answers few requests an hour to an address that sends none, and Workers share their addresses. */
  token: string | undefined
  /** Called when GitHub did not answer with keys; with its status, if it answered. */
  report: (status: number | null) => void
  fetch?: typeof globalThis.fetch
  now?: () => number
}

/** Keys as GitHub publishes them, fetched when an identifier is new and kept for as long as the Worker lives. */
export const publishedKeys = ({
  url,
  token,
  report,
  fetch = globalThis.fetch,
  now = Date.now,
}: Surroundings): PublicKeySource => {
  const known = new Map<string, string>()
  let heard = false
  let asking = false
  let askAgainAt = Number.NEGATIVE_INFINITY

  /** True, too, once a clock that was ahead is corrected: reports must not be refused until it has caught up. */
  const isDue = (): boolean => now() >= askAgainAt || now() < askAgainAt - REFETCH_AFTER_MS

  /** Whether GitHub answered with keys. */
  const refetch = async (): Promise<boolean> => {
    let status: number | null = null
    try {
      const answer = await fetch(url, {
        headers: {
          accept: 'application/json',
          'user-agent': 'decider',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      })
      status = answer.status
      const bytes = answer.ok ? await bytesOf(answer, MAX_ANSWER_BYTES) : null
      if (bytes === null) throw new Error('no keys')
      const { public_keys } = v.parse(Published, JSON.parse(new TextDecoder().decode(bytes)))
      for (const { key_identifier, key } of public_keys) known.set(key_identifier, key)
      return true
    } catch {
      report(status)
      return false
    }
  }

  return async identifier => {
    if (!known.has(identifier) && isDue()) {
      asking = true
      heard = false
      // The request that asks may be cut off on the way.
      askAgainAt = now() + FETCH_TIMEOUT_MS
      heard = await refetch()
      asking = false
      askAgainAt = now() + (heard ? REFETCH_AFTER_MS : RETRY_AFTER_MS)
    }
    // A report that comes meanwhile may not come again, so wait. Requests of a Worker cannot share a promise, so poll.
    while (asking && !known.has(identifier) && !isDue()) {
      await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS))
    }
    const pem = known.get(identifier)
    if (pem !== undefined) return { kind: 'published', pem }
    return { kind: heard ? 'unknown' : 'unheard' }
  }
}
