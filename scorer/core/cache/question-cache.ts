import type { KnownRows } from '../../backend/backend.ts'
import { Held } from '../held.ts'
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
  /** For these questions, which are kept while the request waits, too. Keys cannot be forged: the tenant is for clearing. */
  of(tenant: string, questions: readonly string[]): KnownRows
  close(): void
}

/**
 * The rows of encoded questions. They are the same for every state, so a question asked about many states is encoded
 * once. Other requests of its tenant can use a question from the moment its encoding begins.
 */
export class QuestionCache {
  readonly #options: QuestionCacheOptions
  readonly #cache: LruCache<Promise<Float32Array>>
  /** For each question that a request asks, waiting or in progress: the keys of what was kept of it meanwhile. */
  readonly #asked = new Held<Set<string>>()

  constructor(options: QuestionCacheOptions) {
    this.#options = options
    this.#cache = new LruCache({ ...options, lifetimeMs: options.lifetimeMs || Number.POSITIVE_INFINITY })
  }

  get bytes(): number {
    return this.#cache.bytes
  }

  open(): Asking {
    const { now, onEvent } = this.#options
    // Nothing once it is closed: work that is interrupted may go on for a little, and nothing of it is kept.
    const asked = new Map<string, Set<string>>()
    const ask = (question: string): void => {
      if (asked.has(question)) return
      const pieces = this.#asked.hold(question, () => new Set())
      asked.set(question, pieces)
    }
    return {
      of: (tenant, questions) => {
        questions.forEach(ask)
        return {
          get: (question, piece) => {
            if (!asked.has(question)) return undefined
            const found = this.#cache.get(keyOf(question, piece), now())
            onEvent(found === undefined ? 'miss' : 'hit')
            return found?.value
          },
          keep: (question, piece, bytes, rows) => {
            const pieces = asked.get(question)
            if (pieces === undefined) return
            const key = keyOf(question, piece)
            pieces.add(key)
            this.#cache.put({ key, tenant, bytes, value: rows }, now())
            rows.catch(() => this.#cache.remove(key, rows))
          },
        }
      },
      close: () => {
        for (const [question, pieces] of asked) this.#leave(question, pieces)
        asked.clear()
      },
    }
  }

  sweep(): void {
    this.#cache.dropExpired(this.#options.now())
  }

  clear(tenant: string | null): void {
    this.#cache.clear(tenant)
  }

  #leave(question: string, pieces: ReadonlySet<string>): void {
    if (!this.#asked.release(question) || this.#options.lifetimeMs > 0) return
    for (const key of pieces) this.#cache.remove(key)
  }
}

const keyOf = (question: string, piece: number): string => `${question} ${piece}`
