/** Whoever carries them and has not set out by then never will: its request was cut down. */
const CARRIER_GONE_AFTER_MS = 2_000

/**
 * What the requests of one isolate leave for a journey together: the first to come waits a little for others and
 * carries what all of them left, to each destination its own. Only plain data waits here, as nothing else may pass
 * from one request of a Worker to another.
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

  /** What the caller's request has to live on for; null where another carries this. */
  leave(destination: string, item: Item): Promise<void> | null {
    const waiting = this.#waiting.get(destination)
    if (waiting === undefined) this.#waiting.set(destination, [item])
    else waiting.push(item)
    const now = Date.now()
    if (now - this.#carriedSince < CARRIER_GONE_AFTER_MS) return null
    this.#carriedSince = now
    return this.#carryAll()
  }

  /** For a caller who goes there now anyway. */
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
