// How long the engine takes for a padded token, learned from the tasks that went through one lane. It takes turns
// between what is under way, so what counts of a task's time is its tokens' share of all that were under way with it.

export type PaceOptions = {
  /** With fewer under way the engine is not busy, and their time says nothing of a full batch. */
  busyTokens: number
  /** What was learned that many tokens ago hardly counts any more. */
  windowTokens: number
  /** How many times as long a task that ran out of time would have taken, as far as is known. */
  lateFactor: number
  now: () => number
}

/** How a task ended: done, past its deadline, or by what says nothing of the engine. */
export type Ending = 'done' | 'late' | 'other'

/** A run slower than that was held up by the machine: one pause must not have everything refused after it. */
const MOST_SLOWER = 4

export class Pace {
  readonly #options: PaceOptions
  /** Tokens that have begun and not ended. */
  underWay = 0
  /** Milliseconds that each token under way was worked on, added up since the start. */
  #clock = 0
  #changedAt = 0
  #learned = { ms: 0, tokens: 0 }

  constructor(options: PaceOptions) {
    this.#options = options
  }

  /** Call what it returns once, when the task has ended. */
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

  /** How long so many tokens take behind what is under way, which ends within `mostMs`; 0 before anything is known. */
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

  /** A clock that was set back must not tell of work that took less than no time. */
  #sinceChange(): number {
    return Math.max(0, this.#options.now() - this.#changedAt)
  }

  #learn(tokens: number, took: number): void {
    const known = this.#learned
    const most = this.#msPerToken * MOST_SLOWER
    const ms = most === 0 ? took : Math.min(took, most)
    const stays = Math.exp(-tokens / this.#options.windowTokens)
    this.#learned = { ms: known.ms * stays + ms * tokens, tokens: known.tokens * stays + tokens }
  }
}
