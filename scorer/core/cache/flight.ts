import type { Signal } from '../../backend/backend.ts'

/**
 * The encoding of one state, shared by everyone who waits for it and worth doing until the last of them has left.
 * Once the engine has been told that it is over, nobody may join any more: `onOver` says so.
 */
export class Flight<State> implements Signal {
  readonly done: Promise<State>
  readonly #settle: PromiseWithResolvers<State>
  readonly #waiters: Set<Signal>
  readonly #now: () => number
  readonly #onOver: () => void
  /** How many callers will use the state. */
  takers = 1

  constructor(first: Signal, { now, onOver }: { now: () => number; onOver: () => void }) {
    this.#waiters = new Set([first])
    this.#now = now
    this.#onOver = onOver
    this.#settle = Promise.withResolvers()
    this.done = this.#settle.promise
  }

  begin(read: (signal: Signal) => Promise<State>): void {
    read(this).then(this.#settle.resolve, this.#settle.reject)
  }

  join(waiter: Signal): void {
    this.#waiters.add(waiter)
    this.takers += 1
  }

  get deadline(): number {
    const staying = [...this.#waiters].filter(waiter => !waiter.cancelled())
    const deadline = Math.max(0, ...staying.map(waiter => waiter.deadline))
    if (this.#now() >= deadline) this.#onOver()
    return deadline
  }

  cancelled(): boolean {
    const over = [...this.#waiters].every(waiter => waiter.cancelled())
    if (over) this.#onOver()
    return over
  }
}
