/** The order of what waits. Sorting is stable: of one rank, what came first goes first. */
export const byRank = (one: { readonly rank: number }, other: { readonly rank: number }): number =>
  one.rank - other.rank

/** Whose turn it is in one lane: what waits goes by its rank, and tenants take turns at ranks. */
export class Turns {
  /** The rank whose turn it was last. */
  #current = 0
  /** Of those who have something here, the rank of their next request. */
  readonly #next = new Map<string, number>()

  get current(): number {
    return this.#current
  }

  /** The rank of a new request of the tenant: who has nothing here is next, whatever others have. */
  rankFor(tenant: string): number {
    return Math.max(this.#current, this.#next.get(tenant) ?? 0)
  }

  /** A request of the tenant's is here from now on. */
  take(tenant: string): void {
    this.#next.set(tenant, this.rankFor(tenant) + 1)
  }

  came(rank: number): void {
    this.#current = Math.max(this.#current, rank)
  }

  /** Nobody else has anything here any more. */
  keep(tenants: ReadonlySet<string>): void {
    for (const tenant of this.#next.keys()) if (!tenants.has(tenant)) this.#next.delete(tenant)
  }
}
