// Hands out encoded states and decides whether there is memory for them. A state is encoded once however many callers
// wait for it. It stays in the cache for a while, and its memory is freed once nobody can reach it any more.
import type { MemoryPool, Waiter } from '../../backend/backend.ts'
import { Flight } from './flight.ts'
import { type Entry, LruCache } from './lru-cache.ts'

/** A state in use. Release it exactly once, when done. */
type Lease<State> = { readonly state: State; readonly cached: boolean; release(): void }

export type Wanted<State> = {
  readonly key: string
  readonly tenant: string
  readonly bytes: number
  encode(memory: Memory, waiter: Waiter): Promise<State>
}

export type Standing = 'absent' | 'pending' | 'encoded'

export const STORE_EVENTS = ['hit', 'joined', 'miss', 'evicted', 'expired', 'cleared'] as const
export type StoreEvent = (typeof STORE_EVENTS)[number]

type StoreOptions = {
  /** For all states: cached, in use and being encoded. */
  memory: MemoryPool
  /** The most of it that cached states may hold. */
  cacheBytes: number
  lifetimeMs: number
  now: () => number
  onEvent: (event: StoreEvent) => void
}

type Memory = Uint8Array<SharedArrayBuffer>
type Stored<State> = { readonly state: State; readonly memory: Memory; users: number; cached: boolean }
type Pending<State> = { readonly tenant: string; readonly flight: Flight<Stored<State>> }

export class StateStore<State> {
  readonly #options: StoreOptions
  readonly #cache: LruCache<Stored<State>>
  readonly #pending = new Map<string, Pending<State>>()

  constructor(options: StoreOptions) {
    this.#options = options
    this.#cache = new LruCache({ budgetBytes: options.cacheBytes, lifetimeMs: options.lifetimeMs })
  }

  get usage(): { cachedBytes: number; cachedStates: number } {
    return { cachedBytes: this.#cache.bytes, cachedStates: this.#cache.size }
  }

  /** Whether the state must be encoded, is being encoded, or is there at once. */
  standing(key: string): Standing {
    if (this.#cache.has(key, this.#options.now())) return 'encoded'
    return this.#pending.has(key) ? 'pending' : 'absent'
  }

  /** The state, from the cache or encoded for this caller and all who ask meanwhile; null while memory is short. */
  tryAcquire(wanted: Wanted<State>, waiter: Waiter): Promise<Lease<State>> | null {
    const kept = this.#cache.get(wanted.key, this.#options.now())
    if (kept !== undefined) {
      this.#options.onEvent('hit')
      kept.value.users += 1
      return Promise.resolve(this.#lease(kept.value, true))
    }
    const pending = this.#pending.get(wanted.key)
    if (pending !== undefined) {
      this.#options.onEvent('joined')
      pending.flight.join(waiter)
      return pending.flight.done.then(stored => this.#lease(stored, true))
    }
    const memory = this.#reserve(wanted.bytes)
    if (memory === null) return null
    this.#options.onEvent('miss')
    return this.#read(wanted, memory, waiter).done.then(stored => this.#lease(stored, false))
  }

  /** Drops expired states. */
  sweep(): void {
    for (const entry of this.#cache.dropExpired(this.#options.now())) this.#leaveCache(entry, 'expired')
  }

  /** Empties the cache, or one tenant's part of it. States being encoded will not be kept either. */
  clear(tenant: string | null): number {
    for (const [key, pending] of this.#pending) {
      if (tenant === null || pending.tenant === tenant) this.#pending.delete(key)
    }
    const gone = this.#cache.clear(tenant)
    for (const entry of gone) this.#leaveCache(entry, 'cleared')
    return gone.length
  }

  #read(wanted: Wanted<State>, memory: Memory, first: Waiter): Flight<Stored<State>> {
    const flight = new Flight<Stored<State>>(first, () => leave())
    /** After this nobody can join the flight. Returns whether anyone still could. */
    const leave = () => this.#pending.get(wanted.key)?.flight === flight && this.#pending.delete(wanted.key)
    this.#pending.set(wanted.key, { tenant: wanted.tenant, flight })
    flight.begin(async waiter => {
      try {
        const state = await wanted.encode(memory, waiter)
        const stored = { state, memory, users: flight.takers, cached: false }
        // A state that was cleared meanwhile serves those who already wait for it, and nobody after them.
        if (leave()) this.#cacheState(wanted, stored)
        return stored
      } catch (fault) {
        leave()
        this.#options.memory.give(memory)
        throw fault
      }
    })
    return flight
  }

  #cacheState({ key, tenant, bytes }: Wanted<State>, stored: Stored<State>): void {
    stored.cached = true
    const gone = this.#cache.put({ key, tenant, bytes, value: stored }, this.#options.now())
    for (const entry of gone) this.#leaveCache(entry, 'evicted')
  }

  /** Memory for a state, taken if necessary from cached states that nobody uses; null if that is not enough. */
  #reserve(bytes: number): Memory | null {
    for (;;) {
      const memory = this.#options.memory.take(bytes)
      if (memory !== null) return memory
      const oldest = this.#cache.evictOldest(stored => stored.users === 0)
      if (oldest === undefined) return null
      this.#leaveCache(oldest, 'evicted')
    }
  }

  #leaveCache({ value: stored }: Entry<Stored<State>>, event: StoreEvent): void {
    this.#options.onEvent(event)
    stored.cached = false
    this.#freeIfUnused(stored)
  }

  #lease(stored: Stored<State>, cached: boolean): Lease<State> {
    return {
      state: stored.state,
      cached,
      release: () => {
        stored.users -= 1
        this.#freeIfUnused(stored)
      },
    }
  }

  #freeIfUnused(stored: Stored<State>): void {
    if (stored.users > 0 || stored.cached) return
    this.#options.memory.give(stored.memory)
  }
}
