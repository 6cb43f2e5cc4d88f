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
  /** For each tenant that waited here when all was last ranked, or since, the rank after that of its last request. */
  readonly #afterLast = new Map<string, number>()

  /**
   * Ranks all that waits here, given in the order it came, the tasks of a request next to each other: each request one
   * turn after the one before it of its tenant, and each task of a request one turn after the one before it. A tenant of
   * which nothing else waits here waits for one turn of each other at most. Ranked anew when some of it was dropped, so
   * that what was dropped costs its tenant no turn.
   */
  rank(waiting: Iterable<Turn>): void {
    this.#afterLast.clear()
    let before: Turn | undefined
    for (const turn of waiting) {
      const { tenant, request } = turn
      let rank = before?.request === request ? before.rank + 1 : this.#begun.get(request)
      if (rank === undefined) {
        rank = this.#rankOfNew(tenant)
        this.#afterLast.set(tenant, rank + 1)
      }
      turn.rank = rank
      before = turn
    }
  }

  /** Ranks the tasks of a request that comes after all that has been ranked, as ranking all anew would. */
  rankNew(tasks: readonly Turn[]): void {
    const [first] = tasks
    if (first === undefined) return
    const rank = this.#rankOfNew(first.tenant)
    for (const [nth, task] of tasks.entries()) task.rank = rank + nth
  }

  /** Records that these tasks, which were ranked as new, wait here from now on. */
  add([first]: readonly Turn[]): void {
    if (first !== undefined) this.#afterLast.set(first.tenant, first.rank + 1)
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
    this.#afterLast.clear()
  }

  #rankOfNew(tenant: string): number {
    return Math.max(this.#afterLast.get(tenant) ?? 0, this.#nextOf(tenant))
  }

  /**
   * The rank of a tenant's next request to begin. Whoever has just had a turn waits for the next rank: otherwise two
   * tenants who ask again as soon as they are answered would go before everyone's second request.
   */
  #nextOf(tenant: string): number {
    return this.#served.has(tenant) ? this.#current + 1 : this.#current
  }
}
