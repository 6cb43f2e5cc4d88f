// What waiting tasks cost together: a state that several of them share is encoded for the first alone.

/** A state that waiting tasks are about. */
export type SharedState = {
  readonly key: string
  readonly tokens: number
  holders: number
  sum: Together | null
}

/**
 * The states of all that waits. Thousands of tasks are counted for each that is offered, and a set of their keys would
 * take a millisecond to fill: so tasks that share a state share an object, which remembers where it was counted last.
 */
export class SharedStates {
  readonly #byKey = new Map<string, SharedState>()

  get size(): number {
    return this.#byKey.size
  }

  /** The state with that key. Release it exactly once, when its task no longer waits. */
  hold({ key, tokens }: { readonly key: string; readonly tokens: number }): SharedState {
    const state = this.#byKey.get(key) ?? { key, tokens, holders: 0, sum: null }
    state.holders += 1
    this.#byKey.set(key, state)
    return state
  }

  release(state: SharedState): void {
    state.holders -= 1
    if (state.holders === 0) this.#byKey.delete(state.key)
  }
}

export type Costing = {
  /** Padded tokens of the task's own work as things stand. */
  readonly cost: number
  /** Whether encoding its state is part of that. */
  readonly encodes: boolean
  readonly state: SharedState
}

/** A sum over tasks. One sum at a time: the next begins where the last has ended. */
export class Together {
  cost = 0

  add({ cost, encodes, state }: Costing): void {
    const isCounted = encodes && state.sum === this
    this.cost += isCounted ? cost - state.tokens : cost
    if (encodes) state.sum = this
  }
}
