/** Things by key, each of which exists for as long as anyone holds it. */
export class Held<Thing> {
  readonly #byKey = new Map<string, { readonly thing: Thing; holders: number }>()

  /** The thing with that key, made if nobody holds it yet. Release it exactly once. */
  hold(key: string, make: () => Thing): Thing {
    const held = this.#byKey.get(key) ?? { thing: make(), holders: 0 }
    held.holders += 1
    this.#byKey.set(key, held)
    return held.thing
  }

  /** Returns whether nobody holds it any more. */
  release(key: string): boolean {
    const held = this.#byKey.get(key)
    if (held === undefined) return false
    held.holders -= 1
    if (held.holders > 0) return false
    return this.#byKey.delete(key)
  }
}
