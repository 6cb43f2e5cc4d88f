import type { KnownRows } from '../../backend/backend.ts'
import { LruCache } from './lru-cache.ts'

type QuestionCacheOptions = {
  readonly budgetBytes: number
  /** How long a question is kept once its encoding begins. 0 keeps it until the requests that ask it are answered. */
  readonly lifetimeMs: number
  readonly now: () => number
  readonly onEvent: (event: 'hit' | 'miss') => void
}

/** One request's access to the cache, to be closed when the request is answered. */
export type Asking = {
  /** Keys cannot be forged, so the tenant is needed only for clearing. */
  of(tenant: string): KnownRows
  close(): void
}

/**
 * The rows of encoded questions. They are the same for every state, so a question asked about many states is encoded
 * once. Other requests of its tenant can use a question from the moment its encoding begins.
 */
export class QuestionCache {
  readonly #options: QuestionCacheOptions
  readonly #cache: LruCache<Promise<Float32Array>>
  /** How many requests in progress ask each question. */
  readonly #asked = new Map<string, number>()

  constructor(options: QuestionCacheOptions) {
    this.#options = options
    this.#cache = new LruCache({ ...options, lifetimeMs: options.lifetimeMs || Number.POSITIVE_INFINITY })
  }

  get bytes(): number {
    return this.#cache.bytes
  }

  open(): Asking {
    const { now, onEvent } = this.#options
    const keys = new Set<string>()
    // Work that is interrupted may go on for a little: nothing of it is kept.
    let closed = false
    return {
      of: tenant => ({
        get: key => {
          if (closed) return undefined
          if (!keys.has(key)) this.#asked.set(key, (this.#asked.get(key) ?? 0) + 1)
          keys.add(key)
          const found = this.#cache.get(key, now())
          onEvent(found === undefined ? 'miss' : 'hit')
          return found?.value
        },
        keep: (key, bytes, rows) => {
          if (closed) return
          this.#cache.put({ key, tenant, bytes, value: rows }, now())
          rows.catch(() => this.#cache.remove(key, rows))
        },
      }),
      close: () => {
        closed = true
        for (const key of keys) this.#leave(key)
        keys.clear()
      },
    }
  }

  sweep(): void {
    this.#cache.dropExpired(this.#options.now())
  }

  clear(tenant: string | null): void {
    this.#cache.clear(tenant)
  }

  #leave(key: string): void {
    const others = (this.#asked.get(key) ?? 1) - 1
    if (others > 0) {
      this.#asked.set(key, others)
      return
    }
    this.#asked.delete(key)
    if (this.#options.lifetimeMs > 0) return
    const kept = this.#cache.get(key, this.#options.now())
    if (kept !== undefined) this.#cache.remove(key, kept.value)
  }
}
