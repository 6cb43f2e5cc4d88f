/** So few are stored in the array object itself, which saves an allocation for the many texts of a few tokens. */
const FIRST_ROOM = 16

/** A growing list of 32-bit integers. An ordinary array of them takes twice the memory, and more while it grows. */
export class Integers {
  #items = new Int32Array(FIRST_ROOM)
  length = 0

  push(item: number): void {
    if (this.length === this.#items.length) {
      const larger = new Int32Array(2 * this.length)
      larger.set(this.#items)
      this.#items = larger
    }
    this.#items[this.length++] = item
  }

  /** Without a copy: the memory also holds the list's spare room. */
  toArray(): Int32Array {
    return this.#items.subarray(0, this.length)
  }
}
