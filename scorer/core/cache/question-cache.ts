import type { KnownRows } from '../../backend/backend.ts'
import { LruCache } from './lru-cache.ts'

type QuestionCacheOptions = {
  readonly budgetBytes: number
  /** How long a question is kept once its encoding begins. 0 keeps it until the requests that ask it are answered. */
  readonly lifetimeMs: number
  readonly now: () => number
  readonly onEvent: (event: 'hit' | 'miss') => void
}

/** One request's access to the cache, from when it comes until it is answered, when it must be closed. */
export type Asking = {
  /** Keys cannot be forged, so the tenant is needed only for clearing. */
  of(tenant: string): KnownRows
  close(): void
}

/** How many requests ask a question, waiting or in progress, and the keys of what was kept of it for them. */
type Asked = { requests: number; readonly pieces: Set<string> }

/**
 * The rows of encoded questions. They are the same for every state, so a question asked about many states is encoded
 * once. Other requests of its tenant can use a question from the moment its encoding begins.
 */
export class QuestionCache {
  readonly #options: QuestionCacheOptions
  readonly #cache: LruCache<Promise<Float32Array>>
  readonly #asked = new Map<string, Asked>()

  constructor(options: QuestionCacheOptions) {
    this.#options = options
    this.#cache = new LruCache({ ...options, lifetimeMs: options.lifetimeMs || Number.POSITIVE_INFINITY })
  }

  get bytes(): number {
    return this.#cache.bytes
  }

  /** For a request that asks these questions: they are kept while it waits, too. */
  open(questions: Iterable<string>): Asking {
    const { now, onEvent } = this.#options
    const asked = new Set(questions)
    for (const question of asked) this.#join(question)
    // Work that is interrupted may go on for a little: nothing of it is kept.
    let closed = false
    return {
      of: tenant => ({
        get: (question, piece) => {
          if (closed) return undefined
          const found = this.#cache.get(keyOf(question, piece), now())
          onEvent(found === undefined ? 'miss' : 'hit')
          return found?.value
        },
        keep: (question, piece, bytes, rows) => {
          const kept = closed || !asked.has(question) ? undefined : this.#asked.get(question)
          if (kept === undefined) return
          const key = keyOf(question, piece)
          kept.pieces.add(key)
          this.#cache.put({ key, tenant, bytes, value: rows }, now())
          rows.catch(() => this.#cache.remove(key, rows))
        },
      }),
      close: () => {
        if (closed) return
        closed = true
        for (const question of asked) this.#leave(question)
      },
    }
  }

  sweep(): void {
    this.#cache.dropExpired(this.#options.now())
  }

  clear(tenant: string | null): void {
    this.#cache.clear(tenant)
  }

  #join(question: string): void {
    const asked = this.#asked.get(question) ?? { requests: 0, pieces: new Set() }
    asked.requests += 1
    this.#asked.set(question, asked)
  }

  #leave(question: string): void {
    const asked = this.#asked.get(question)
    if (asked === undefined) return
    asked.requests -= 1
    if (asked.requests > 0) return
    this.#asked.delete(question)
    if (this.#options.lifetimeMs > 0) return
    for (const key of asked.pieces) {
      const kept = this.#cache.get(key, this.#options.now())
      if (kept !== undefined) this.#cache.remove(key, kept.value)
    }
  }
}

const keyOf = (question: string, piece: number): string => `${question} ${piece}`
