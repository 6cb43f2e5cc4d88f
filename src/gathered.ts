/** A carrier that has not set out by then never will: its request was cut off. */
const CARRIER_GONE_AFTER_MS = 2_000

/**
 * Items that the requests of one isolate leave here to travel together. The first request waits a little for others,
 * then carries everything that was left, to each destination its own. Only plain data waits here, because nothing else
 * may pass from one request of a Worker to another.
 */
export class Gathered<Item> {
  readonly #waitMs: number
  readonly #carry: (destination: string, items: Item[]) => Promise<unknown>
  #waiting = new Map<string, Item[]>()
  #carriedSince = Number.NEGATIVE_INFINITY

  constructor(waitMs: number, carry: (destination: string, items: Item[]) => Promise<unknown>) {
    this.#waitMs = waitMs
    this.#carry = carry
  }

  /** Work the caller's request must stay alive for; null if another request carries the item. */
  leave(destination: string, item: Item): Promise<void> | null {
    const waiting = this.#waiting.get(destination)
    if (waiting === undefined) this.#waiting.set(destination, [item])
    else waiting.push(item)
    const now = Date.now()
    // Also if the clock was ahead and has been set back.
    if (Math.abs(now - this.#carriedSince) < CARRIER_GONE_AFTER_MS) return null
    this.#carriedSince = now
    return this.#carryAll()
  }

  /** For a caller who is going there now anyway. */
  take(destination: string): Item[] {
    const items = this.#waiting.get(destination) ?? []
    this.#waiting.delete(destination)
    return items
  }

  async #carryAll(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, this.#waitMs))
    this.#carriedSince = Number.NEGATIVE_INFINITY
    const all = [...this.#waiting]
    this.#waiting.clear()
    await Promise.all(all.map(([to, items]) => this.#carry(to, items)))
  }
}
