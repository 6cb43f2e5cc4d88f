/**
 * Work that is done side by side, and work that needs everything to itself: that waits for what is under way, and what
 * comes later waits for it. If work done alone fails, all that comes later fails with it.
 */
export class SideBySide {
  readonly #underWay = new Set<Promise<unknown>>()
  /** The last work done alone, or that is going to be. */
  #alone: Promise<unknown> = Promise.resolve()

  async beside<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#alone
    // Whoever asked to be alone in the meantime goes on after this, and finds it under way.
    const working = work()
    this.#underWay.add(working)
    return await working.finally(() => this.#underWay.delete(working))
  }

  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#alone
    const turn = (async () => {
      await before
      await Promise.allSettled(this.#underWay)
      return await work()
    })()
    this.#alone = turn
    return turn
  }
}
