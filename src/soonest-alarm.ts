/**
 * The one alarm of a Durable Object, for all that it has left to do: it is set for what is due first. It is set at
 * once, not after a look at the disk, so that it reaches the disk together with what was written before it.
 */
export class SoonestAlarm {
  readonly #ctx: DurableObjectState
  #at: number | null = null

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx
  }

  /** What was set in an earlier life of the object. */
  async remember(): Promise<void> {
    this.#at = await this.#ctx.storage.getAlarm()
  }

  /** To be called first thing when it rings. */
  rang(): void {
    this.#at = null
  }

  within(delayMs: number): void {
    const at = Date.now() + delayMs
    if (this.#at !== null && this.#at <= at) return
    this.#at = at
    this.#ctx.waitUntil(
      this.#ctx.storage.setAlarm(at).catch(error => {
        // Else it would be waited for as long as the object lives.
        if (this.#at === at) this.#at = null
        throw error
      }),
    )
  }
}
