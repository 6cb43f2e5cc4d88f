/** The order of waiting items. Sorting is stable: within a rank, what came first goes first. */
export const byRank = (one: { readonly rank: number }, other: { readonly rank: number }): number =>
  one.rank - other.rank

/** Whose turn it is in one lane: items go in order of rank, and tenants take turns by rank. */
export class Turns {
  /** The rank whose turn it was last. */
  #current = 0
  /** For each tenant that has something here or has just had its turn, the rank of its next request. */
  readonly #next = new Map<string, number>()

  get current(): number {
    return this.#current
  }

  /** The rank of a new request of the tenant. A tenant that has nothing here waits for one turn of each other at most. */
  rankFor(tenant: string): number {
    return Math.max(this.#current, this.#next.get(tenant) ?? 0)
  }

  /** Records that a request of the tenant has arrived. */
  take(tenant: string): void {
    this.#next.set(tenant, this.rankFor(tenant) + 1)
  }

  came(rank: number): void {
    this.#current = Math.max(this.#current, rank)
  }

  /**
   * No other tenant has anything here any more. Whatever it asked for counts as one turn until the next one begins:
   * otherwise two tenants who ask again as soon as they are answered would go before everyone's second request.
   */
  keep(tenants: ReadonlySet<string>): void {
    if (tenants.size === 0) this.#next.clear()
    for (const [tenant, next] of this.#next) {
      if (tenants.has(tenant)) continue
      if (next > this.#current) this.#next.set(tenant, this.#current + 1)
      else this.#next.delete(tenant)
    }
  }
}
