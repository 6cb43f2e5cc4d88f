// An LRU cache with a byte budget and a lifetime. A plain structure: time is an argument, and entries that leave are
// returned so that the caller can free them.

export type Entry<Value> = {
  readonly key: string
  readonly tenant: string
  readonly bytes: number
  readonly value: Value
}

/** An entry between its neighbours in order of last use. */
type Kept<Value> = {
  readonly entry: Entry<Value>
  readonly expiresAt: number
  older: Kept<Value> | undefined
  newer: Kept<Value> | undefined
}

export class LruCache<Value> {
  readonly #budgetBytes: number
  readonly #lifetimeMs: number
  readonly #kept = new Map<string, Kept<Value>>()
  // The order of last use. A Map has an order too, but an iterator that begins anew first has to pass the places of all
  // that was removed lately, which may be tens of thousands, and one that is kept keeps what was removed in memory.
  #oldest: Kept<Value> | undefined
  #newest: Kept<Value> | undefined
  #bytes = 0

  constructor({ budgetBytes, lifetimeMs }: { budgetBytes: number; lifetimeMs: number }) {
    this.#budgetBytes = budgetBytes
    this.#lifetimeMs = lifetimeMs
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#kept.size
  }

  has(key: string, now: number): boolean {
    const kept = this.#kept.get(key)
    return kept !== undefined && now < kept.expiresAt
  }

  /** Makes the entry the most recently used. Its lifetime still counts from when it was written. */
  get(key: string, now: number): Entry<Value> | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined || now >= kept.expiresAt) return undefined
    this.#unlink(kept)
    this.#append(kept)
    return kept.entry
  }

  /** Keeps an entry and returns those that had to go, which is the entry itself if it is larger than the budget. */
  put(entry: Entry<Value>, now: number): Entry<Value>[] {
    if (entry.bytes > this.#budgetBytes) return [entry]
    const replaced = this.#kept.get(entry.key)
    const gone = replaced === undefined ? [] : [this.#remove(replaced)]
    while (this.#bytes + entry.bytes > this.#budgetBytes) {
      const oldest = this.evictOldest(() => true)
      if (oldest === undefined) break
      gone.push(oldest)
    }
    const kept = { entry, expiresAt: now + this.#lifetimeMs, older: undefined, newer: undefined }
    this.#kept.set(entry.key, kept)
    this.#append(kept)
    this.#bytes += entry.bytes
    return gone
  }

  /** Removes the least recently used of the entries that may go. */
  evictOldest(mayGo: (value: Value) => boolean): Entry<Value> | undefined {
    for (const kept of this.#fromOldest()) if (mayGo(kept.entry.value)) return this.#remove(kept)
    return undefined
  }

  /** Removes an entry. If a value is given, only while the entry holds it. */
  remove(key: string, value?: Value): void {
    const kept = this.#kept.get(key)
    if (kept !== undefined && (value === undefined || kept.entry.value === value)) this.#remove(kept)
  }

  dropExpired(now: number): Entry<Value>[] {
    return this.#removeWhere(({ expiresAt }) => now >= expiresAt)
  }

  /** Empties the cache, or one tenant's part of it. */
  clear(tenant: string | null): Entry<Value>[] {
    return this.#removeWhere(({ entry }) => tenant === null || entry.tenant === tenant)
  }

  #removeWhere(leaves: (kept: Kept<Value>) => boolean): Entry<Value>[] {
    return [...this.#fromOldest()].filter(leaves).map(kept => this.#remove(kept))
  }

  #remove(kept: Kept<Value>): Entry<Value> {
    this.#kept.delete(kept.entry.key)
    this.#unlink(kept)
    this.#bytes -= kept.entry.bytes
    return kept.entry
  }

  *#fromOldest(): Generator<Kept<Value>> {
    for (let kept = this.#oldest; kept !== undefined; kept = kept.newer) yield kept
  }

  #append(kept: Kept<Value>): void {
    kept.older = this.#newest
    kept.newer = undefined
    if (this.#newest === undefined) this.#oldest = kept
    else this.#newest.newer = kept
    this.#newest = kept
  }

  #unlink({ older, newer }: Kept<Value>): void {
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
  }
}
