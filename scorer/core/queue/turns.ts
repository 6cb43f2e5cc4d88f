/** The order of waiting items. Sorting is stable: within a rank, what came first goes first. */
export const byRank = (one: { readonly rank: number }, other: { readonly rank: number }): number =>
  one.rank - other.rank

/** Whose turn it is in one lane: items go in order of rank, and tenants take turns by rank. */
export class Turns {
  /** The rank whose turn it was last. */
  #current = 0
  /** For each tenant that has something here, the rank of its next request. */
  readonly #next = new Map<string, number>()

  get current(): number {
    return this.#current
  }

  /** The rank of a new request of the tenant. A tenant that has nothing here is next, whatever others have. */
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

  /** Forgets every other tenant, because none of them has anything here any more. */
  keep(tenants: ReadonlySet<string>): void {
    for (const tenant of this.#next.keys()) if (!tenants.has(tenant)) this.#next.delete(tenant)
  }
}
