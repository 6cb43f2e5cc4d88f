import * as v from 'valibot'
import { bytesOf } from '../http/bytes.ts'

/** Finds the public key that GitHub publishes under an identifier, as PEM; null if there is none. */
export type PublicKeySource = (identifier: string) => Promise<string | null>

const FETCH_TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 64 * 1_024
/** However many unknown identifiers are sent, GitHub is not asked again sooner unless it did not answer. */
const REFETCH_AFTER_MS = 60_000
const RETRY_AFTER_MS = 2_000
const LOOK_AGAIN_MS = 50

const Published = v.object({
  public_keys: v.pipe(v.array(v.object({ key_identifier: v.string(), key: v.string() })), v.maxLength(100)),
})

/** Keys as GitHub publishes them, fetched when an identifier is new and kept for as long as the Worker lives. */
export const publishedKeys = (
  url: string,
  { fetch = globalThis.fetch, now = Date.now }: { fetch?: typeof globalThis.fetch; now?: () => number } = {},
): PublicKeySource => {
  const known = new Map<string, string>()
  let asking = false
  let askAgainAt = Number.NEGATIVE_INFINITY

  /** Returns false or throws if GitHub did not answer with keys. */
  const refetch = async (): Promise<boolean> => {
    const answer = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'decider' },
      redirect: 'manual',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    })
    const bytes = answer.ok ? await bytesOf(answer, MAX_ANSWER_BYTES) : null
    if (bytes === null) return false
    const { public_keys } = v.parse(Published, JSON.parse(new TextDecoder().decode(bytes)))
    for (const { key_identifier, key } of public_keys) known.set(key_identifier, key)
    return true
  }

  return async identifier => {
    if (!known.has(identifier) && now() >= askAgainAt) {
      asking = true
      // The request that asks may be cut off on the way.
      askAgainAt = now() + FETCH_TIMEOUT_MS
      const heard = await refetch().catch(() => false)
      asking = false
      askAgainAt = now() + (heard ? REFETCH_AFTER_MS : RETRY_AFTER_MS)
    }
    // A report that comes meanwhile may not come again, so wait. Requests of a Worker cannot share a promise, so poll.
    while (asking && !known.has(identifier) && now() < askAgainAt) {
      await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN_MS))
    }
    return known.get(identifier) ?? null
  }
}
