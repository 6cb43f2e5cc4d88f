import type { Waiter } from '../../backend/backend.ts'

/**
 * The encoding of one state, shared by everyone who waits for it and worth doing until the last of them has left.
 * Once the engine has been told that it is over, nobody may join any more: `onOver` says so.
 */
export class Flight<State> implements Waiter {
  readonly done: Promise<State>
  readonly #settle: PromiseWithResolvers<State>
  readonly #waiters: Set<Waiter>
  readonly #onOver: () => void
  /** How many callers will use the state. */
  takers = 1

  constructor(first: Waiter, onOver: () => void) {
    this.#waiters = new Set([first])
    this.#onOver = onOver
    this.#settle = Promise.withResolvers()
    this.done = this.#settle.promise
  }

  begin(read: (waiter: Waiter) => Promise<State>): void {
    read(this).then(this.#settle.resolve, this.#settle.reject)
  }

  join(waiter: Waiter): void {
    this.#waiters.add(waiter)
    this.takers += 1
  }

  gone(): boolean {
    const over = [...this.#waiters].every(waiter => waiter.gone())
    if (over) this.#onOver()
    return over
  }
}
