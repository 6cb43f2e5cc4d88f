// What waiting tasks cost together: a state that several of them share is encoded for the first alone.
import type { Size } from './lanes.ts'

/**
 * A state that waiting tasks are about, one object for all that share it. Thousands of tasks are counted for each that
 * is offered, and a set of their keys would take a millisecond to fill: so the object remembers where it was counted last.
 */
export type SharedState = { readonly tokens: number; sum: Together | null }

export type Costing = Readonly<Pick<Size, 'cost' | 'encodes'>> & { readonly state: SharedState }

/** A sum over tasks. One sum at a time: the next begins where the last has ended. */
export class Together {
  cost = 0

  add({ cost, encodes, state }: Costing): void {
    const isCounted = encodes && state.sum === this
    this.cost += isCounted ? cost - state.tokens : cost
    if (encodes) state.sum = this
  }
}
