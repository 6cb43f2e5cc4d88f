/** What waits: a task, or a body to read. */
export type Turn = {
  readonly tenant: string
  /** One object for all tasks of a request. */
  readonly request: object
  /** Set by `Turns.rank`. */
  rank: number
}

/** The order of what waits. Sorting is stable: within a rank, what came first goes first. */
export const byRank = (one: Turn, other: Turn): number => one.rank - other.rank

/** Whose turn it is in one lane: what waits goes in order of rank, and tenants take turns by rank. */
export class Turns {
  /** The rank whose turn it was last. */
  #current = 0
  /** The tenants of which a request has begun at that rank. */
  readonly #served = new Set<string>()
  /** For each request that has begun here, the rank of its next task. */
  readonly #begun = new WeakMap<object, number>()

  /**
   * Ranks all that waits here, given in the order it came, the tasks of a request next to each other: each request one
   * turn after the one before it of its tenant, and each task of a request one turn after the one before it. A tenant of
   * which nothing else waits here waits for one turn of each other at most. Ranked anew before each choice, so that what
   * was dropped costs its tenant no turn.
   */
  rank(waiting: Iterable<Turn>): void {
    const nextOfTenant = new Map<string, number>()
    let before: Turn | undefined
    for (const turn of waiting) {
      const { tenant, request } = turn
      let rank = before?.request === request ? before.rank + 1 : this.#begun.get(request)
      if (rank === undefined) {
        rank = nextOfTenant.get(tenant) ?? this.#nextOf(tenant)
        nextOfTenant.set(tenant, rank + 1)
      }
      turn.rank = rank
      before = turn
    }
  }

  /** Records that what ranks first has begun. */
  begin({ tenant, request }: Turn): void {
    const begun = this.#begun.get(request)
    const rank = begun ?? this.#nextOf(tenant)
    if (rank > this.#current) this.#served.clear()
    this.#current = Math.max(this.#current, rank)
    if (begun === undefined) this.#served.add(tenant)
    this.#begun.set(request, rank + 1)
  }

  /** Nothing waits or runs here any more. */
  forget(): void {
    this.#served.clear()
  }

  /**
   * The rank of a tenant's next request to begin. Whoever has just had a turn waits for the next rank: otherwise two
   * tenants who ask again as soon as they are answered would go before everyone's second request.
   */
  #nextOf(tenant: string): number {
    return this.#served.has(tenant) ? this.#current + 1 : this.#current
  }
}
