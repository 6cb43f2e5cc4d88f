import type { KnownRows } from '../../backend/backend.ts'
import { PrefixCache } from './prefix-cache.ts'

export type QuestionCacheOptions = {
  readonly budgetBytes: number
  readonly lifetimeMs: number
  readonly now: () => number
  readonly onEvent: (event: 'hit' | 'miss') => void
}

/**
 * The rows of questions, which are the same for every state: who asks the same of many states has it read once.
 * A question is there for others of its tenant from the moment that its reading begins.
 */
export class QuestionCache {
  readonly #options: QuestionCacheOptions
  readonly #cache: PrefixCache<Promise<Float32Array>>

  constructor(options: QuestionCacheOptions) {
    this.#options = options
    this.#cache = new PrefixCache(options)
  }

  get bytes(): number {
    return this.#cache.bytes
  }

  /** A tenant's part of it. The names are unforgeable, the tenant is for clearing. */
  of(tenant: string): KnownRows {
    const { now, onEvent } = this.#options
    return {
      get: key => {
        const found = this.#cache.get(key, now())
        onEvent(found === undefined ? 'miss' : 'hit')
        return found?.state
      },
      keep: (key, bytes, rows) => {
        this.#cache.put({ key, tenant, bytes, state: rows }, now())
        rows.catch(() => this.#cache.remove(key, rows))
      },
    }
  }

  sweep(): void {
    this.#cache.dropExpired(this.#options.now())
  }

  clear(tenant: string | null): void {
    this.#cache.clear(tenant)
  }
}
