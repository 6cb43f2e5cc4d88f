import * as v from 'valibot'
import { bytesOf } from '../http/bytes.ts'

/** Finds the public key that GitHub names by an identifier, as PEM; null when there is none. */
export type PublicKeySource = (identifier: string) => Promise<string | null>

const FETCH_TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 64 * 1_024
/** However many unknown identifiers are sent, GitHub is asked no more often. */
const REFETCH_AFTER_MS = 60_000

const Published = v.object({
  public_keys: v.pipe(v.array(v.object({ key_identifier: v.string(), key: v.string() })), v.maxLength(100)),
})

/** Keys as GitHub publishes them, fetched when an identifier is new and kept for as long as the Worker lives. */
export const publishedKeys = (
  url: string,
  { fetch = globalThis.fetch, now = Date.now }: { fetch?: typeof globalThis.fetch; now?: () => number } = {},
): PublicKeySource => {
  const known = new Map<string, string>()
  let fetchedAt = Number.NEGATIVE_INFINITY

  const refetch = async (): Promise<void> => {
    const answer = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'decider' },
      redirect: 'manual',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    })
    const bytes = answer.ok ? await bytesOf(answer, MAX_ANSWER_BYTES) : null
    if (bytes === null) return
    const published = v.safeParse(Published, JSON.parse(new TextDecoder().decode(bytes)))
    if (!published.success) return
    for (const { key_identifier, key } of published.output.public_keys) known.set(key_identifier, key)
  }

  return async identifier => {
    if (!known.has(identifier) && now() - fetchedAt >= REFETCH_AFTER_MS) {
      fetchedAt = now()
      // Without an answer the key stays unknown; GitHub delivers again.
      await refetch().catch(() => undefined)
    }
    return known.get(identifier) ?? null
  }
}
