// An LRU cache with a byte budget and a lifetime. A plain structure: time is an argument, and entries that leave are
// returned so that the caller can free them.

export type Entry<Value> = {
  readonly key: string
  readonly tenant: string
  readonly bytes: number
  readonly value: Value
}

type Kept<Value> = Entry<Value> & { readonly expiresAt: number }

export class LruCache<Value> {
  readonly #budgetBytes: number
  readonly #lifetimeMs: number
  // In order of last use: a Map keeps its insertion order, and each use inserts the entry again.
  readonly #entries = new Map<string, Kept<Value>>()
  // Goes on where it stopped, having passed no entry that is still there: a new one would first have to pass the places
  // of all that was removed lately, which may be tens of thousands.
  #fromOldest = this.#entries.values()
  #bytes = 0

  constructor({ budgetBytes, lifetimeMs }: { budgetBytes: number; lifetimeMs: number }) {
    this.#budgetBytes = budgetBytes
    this.#lifetimeMs = lifetimeMs
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#entries.size
  }

  has(key: string, now: number): boolean {
    const entry = this.#entries.get(key)
    return entry !== undefined && now < entry.expiresAt
  }

  /** Makes the entry the most recently used. Its lifetime still counts from when it was written. */
  get(key: string, now: number): Entry<Value> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || now >= entry.expiresAt) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  /** Keeps an entry and returns those that had to go, which is the entry itself if it is larger than the budget. */
  put(entry: Entry<Value>, now: number): Entry<Value>[] {
    if (entry.bytes > this.#budgetBytes) return [entry]
    const replaced = this.#remove(entry.key)
    const gone = replaced === undefined ? [] : [replaced]
    while (this.#bytes + entry.bytes > this.#budgetBytes) {
      const oldest = this.evictOldest(() => true)
      if (oldest === undefined) break
      gone.push(oldest)
    }
    this.#entries.set(entry.key, { ...entry, expiresAt: now + this.#lifetimeMs })
    this.#bytes += entry.bytes
    return gone
  }

  /** Removes the least recently used of the entries that may go. */
  evictOldest(mayGo: (value: Value) => boolean): Entry<Value> | undefined {
    let passed = false
    for (const { key, value } of this.#fromOldest) {
      if (!mayGo(value)) {
        passed = true
        continue
      }
      if (passed) this.#fromOldest = this.#entries.values()
      return this.#remove(key)
    }
    this.#fromOldest = this.#entries.values()
    return undefined
  }

  /** Removes an entry if it still holds this value. */
  remove(key: string, value: Value): void {
    if (this.#entries.get(key)?.value === value) this.#remove(key)
  }

  dropExpired(now: number): Entry<Value>[] {
    return this.#removeWhere(entry => now >= entry.expiresAt)
  }

  /** Empties the cache, or one tenant's part of it. */
  clear(tenant: string | null): Entry<Value>[] {
    return this.#removeWhere(entry => tenant === null || entry.tenant === tenant)
  }

  #removeWhere(leaves: (entry: Kept<Value>) => boolean): Entry<Value>[] {
    const gone = [...this.#entries.values()].filter(leaves)
    for (const { key } of gone) this.#remove(key)
    return gone
  }

  #remove(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    return entry
  }
}
