// How long the engine takes per padded token, learned from the tasks that went through one lane. The engine alternates
// between the tasks under way, so a task's time counts only by its share of all the tokens under way with it.

type PaceOptions = {
  /** With fewer tokens under way the engine is not busy, and their time says nothing about a full batch. */
  busyTokens: number
  /** What was learned this many tokens ago counts for about a third (1/e). */
  windowTokens: number
  /** A task that ran out of time is assumed to need this many times as long as it had. */
  lateFactor: number
  now: () => number
}

/** How a task ended: done, past its deadline, or in a way that says nothing about the engine. */
export type Ending = 'done' | 'late' | 'other'

/**
 * A task counts as at most this many times slower than the pace. One that took longer was held up by the machine, and
 * one pause must not cause everything after it to be refused.
 */
const MOST_SLOWER = 4

export class Pace {
  readonly #options: PaceOptions
  /** Tokens of tasks that have begun and not ended. */
  underWay = 0
  /** Milliseconds of work on each token under way, added up since the start. */
  #clock = 0
  #changedAt = 0
  #learned = { ms: 0, tokens: 0 }

  constructor(options: PaceOptions) {
    this.#options = options
  }

  /** Call the returned function once, when the task has ended. */
  begin(tokens: number): (ending: Ending) => void {
    this.#change(tokens)
    const start = this.#clock
    return ending => {
      this.#change(-tokens)
      const took = this.#clock - start
      const wouldTake = took * this.#options.lateFactor
      if (ending === 'done') this.#learn(tokens, took)
      else if (ending === 'late') this.#learn(tokens, Math.max(this.#msPerToken, wouldTake))
    }
  }

  /** How long `tokens` take behind what is under way, which ends within `mostMs`. 0 before anything is learned. */
  msFor(tokens: number, mostMs = Number.POSITIVE_INFINITY): number {
    const behind = this.underWay * this.#msPerToken - this.#sinceChange()
    return Math.max(0, Math.min(behind, mostMs)) + tokens * this.#msPerToken
  }

  get #msPerToken(): number {
    return this.#learned.tokens === 0 ? 0 : this.#learned.ms / this.#learned.tokens
  }

  #change(tokens: number): void {
    this.#clock += this.#sinceChange() / Math.max(this.underWay, this.#options.busyTokens)
    this.#changedAt = this.#options.now()
    this.underWay += tokens
  }

  #sinceChange(): number {
    return this.#options.now() - this.#changedAt
  }

  #learn(tokens: number, took: number): void {
    const known = this.#learned
    const most = this.#msPerToken * MOST_SLOWER
    const ms = most === 0 ? took : Math.min(took, most)
    const stays = Math.exp(-tokens / this.#options.windowTokens)
    this.#learned = { ms: known.ms * stays + ms * tokens, tokens: known.tokens * stays + tokens }
  }
}
