/** What waits: a task, or a body to read. */
export type Turn = {
  readonly tenant: string
  /** One object for all tasks of a request. */
  readonly request: object
  /** Set by `Turns`: whose turn it is. */
  rank: number
  /** Set by `Turns`: the order of what one tenant has. */
  place: number
}

/** The order of what waits. Sorting is stable: within a rank, what came first goes first. */
export const byRank = (one: Turn, other: Turn): number => one.rank - other.rank

/** What of one tenant waited here when all was last ranked, or came since. */
type Own = {
  /** The place of its next request if none of them waited. */
  from: number
  /** The place after that of its newest request. */
  next: number
  requests: number
  /** The rank after all of it. */
  after: number
}
const NOTHING: Own = { from: 0, next: 0, requests: 0, after: 0 }

/**
 * Whose turn it is in one lane: what waits goes in order of rank. Tenants take turns by rank, and the requests of one
 * tenant take the turns of that tenant by place. If each request had turns of its own, a tenant would have more of them
 * the more large requests it sends.
 */
export class Turns {
  /** The rank whose turn it was last. */
  #current = 0
  /** The tenants that had their turn at that rank. */
  readonly #served = new Set<string>()
  /** For each request that has begun here, the place of its next task. */
  readonly #begun = new WeakMap<object, number>()
  #tenants = new Map<string, Own>()

  /**
   * Ranks all that waits here, given in the order it came, the tasks of a request next to each other. Each request of a
   * tenant has its place one after the one before it, and each task of a request one after the one before it. In that
   * order they take the tenant's turns: whoever has nothing else waiting here waits for one turn of each other tenant at
   * most, or two after a turn of its own. Ranked anew when some of it was dropped, so that what was dropped costs its
   * tenant no turn.
   */
  rank(waiting: Iterable<Turn>): void {
    const tenants = new Map<string, Own>()
    for (const [tenant, turns] of Map.groupBy(waiting, turn => turn.tenant)) {
      const { from } = this.#ownOf(tenant)
      const own = { from, next: from, requests: 0, after: this.#nextOf(tenant) }
      this.#setPlaces(turns, own)
      for (const turn of turns.sort((one, other) => one.place - other.place)) turn.rank = own.after++
      tenants.set(tenant, own)
    }
    this.#tenants = tenants
  }

  /**
   * Ranks the tasks of a request that comes after all that has been ranked: as ranking all anew would, if all requests of
   * its tenant have one task. Otherwise nearly so, because what it would overtake keeps its rank until then.
   */
  rankNew(tasks: readonly Turn[]): void {
    const [first] = tasks
    if (first === undefined) return
    const { next, requests, after } = this.#ownOf(first.tenant)
    const rank = this.#nextOf(first.tenant)
    for (const [nth, task] of tasks.entries()) {
      task.place = next + nth
      // Before the first task goes one of each earlier request at most, before the second two, and so on.
      const earlier = requests * (nth + 1)
      task.rank = Math.min(after, rank + earlier) + nth
    }
  }

  /** Records that these tasks, which were ranked as new, wait here from now on. */
  add(tasks: readonly Turn[]): void {
    const [first] = tasks
    if (first === undefined) return
    const { from, next, requests, after } = this.#ownOf(first.tenant)
    this.#tenants.set(first.tenant, {
      from,
      next: next + 1,
      requests: requests + 1,
      after: after + tasks.length,
    })
  }

  /** Records that what ranks first has begun. */
  begin({ tenant, request, place }: Turn): void {
    const rank = this.#nextOf(tenant)
    if (rank > this.#current) this.#served.clear()
    this.#current = rank
    this.#served.add(tenant)
    // New requests take turns with the large ones that have begun, however many come after one another.
    const own = this.#ownOf(tenant)
    const from = Math.max(own.from, this.#begun.has(request) ? place : place + 1)
    this.#tenants.set(tenant, { ...own, from })
    this.#begun.set(request, place + 1)
  }

  /** Nothing waits or runs here any more. */
  forget(): void {
    this.#served.clear()
    this.#tenants.clear()
  }

  #setPlaces(turns: readonly Turn[], own: Own): void {
    let before: Turn | undefined
    for (const turn of turns) {
      const { request } = turn
      if (before?.request === request) turn.place = before.place + 1
      else {
        turn.place = this.#begun.get(request) ?? own.next++
        own.requests += 1
      }
      before = turn
    }
  }

  /** With all that has begun since. */
  #ownOf(tenant: string): Own {
    const { from, next, requests, after } = this.#tenants.get(tenant) ?? NOTHING
    return { from, next: Math.max(from, next), requests, after: Math.max(after, this.#nextOf(tenant)) }
  }

  /**
   * The rank of a tenant's next task to begin. Whoever has just had a turn waits for the next rank: otherwise two
   * tenants who ask again as soon as they are answered would go before everyone's second request.
   */
  #nextOf(tenant: string): number {
    return this.#served.has(tenant) ? this.#current + 1 : this.#current
  }
}
