/**
 * The one alarm of a Durable Object, set for whatever it has to do first. It is set at once, without reading the disk,
 * so that it reaches the disk together with what was written before it.
 */
export class SoonestAlarm {
  readonly #ctx: DurableObjectState
  #at: number | null = null

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx
  }

  /** Loads what was set in an earlier life of the object. */
  async remember(): Promise<void> {
    this.#at = await this.#ctx.storage.getAlarm()
  }

  /** Call this first when the alarm goes off. */
  rang(): void {
    this.#at = null
  }

  within(delayMs: number): void {
    const at = Date.now() + delayMs
    if (this.#at !== null && this.#at <= at) return
    this.#at = at
    this.#ctx.waitUntil(
      this.#ctx.storage.setAlarm(at).catch(error => {
        // Otherwise the object would wait for it for the rest of its life.
        if (this.#at === at) this.#at = null
        throw error
      }),
    )
  }
}
