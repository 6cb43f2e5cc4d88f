const FIRST_CAPACITY = 256

/** A growing list of 32-bit integers: a long state is hundreds of thousands of them. */
export class IntList {
  #items = new Int32Array(FIRST_CAPACITY)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(item: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Int32Array(this.#items.length * 2)
      larger.set(this.#items)
      this.#items = larger
    }
    this.#items[this.#length++] = item
  }

  at(index: number): number {
    return this.#items[index] ?? 0
  }

  clear(): void {
    this.#length = 0
  }

  toArray(): Int32Array {
    return this.#items.slice(0, this.#length)
  }
}
