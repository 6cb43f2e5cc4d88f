// Memory to lend: one shared buffer, handed out in regions. One SharedArrayBuffer per use would not do: the garbage
// collector does not count them as memory, so dropped ones would pile up until the process ran out.
import { StartError } from '../../start-error.ts'

export type Region = { readonly offset: number; readonly length: number }

/** Regions begin at multiples of this, so that rows of numbers start on cache lines. */
const ALIGNMENT = 64

export class Arena {
  readonly #buffer: SharedArrayBuffer
  // In order of offset; adjacent holes are merged.
  #holes: Region[]
  /** The offsets of the regions taken. */
  readonly #taken = new Set<number>()
  #usedBytes = 0

  /** Pages cost nothing until they are first written: only then does the system provide them. */
  constructor(bytes: number) {
    this.#buffer = reserve(bytes)
    this.#holes = [{ offset: 0, length: bytes }]
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** A region in the first hole that is large enough, or null. First fit keeps written pages at the front. */
  take(bytes: number): Region | null {
    const length = Math.ceil(Math.max(1, bytes) / ALIGNMENT) * ALIGNMENT
    const at = this.#holes.findIndex(hole => hole.length >= length)
    const hole = this.#holes[at]
    if (hole === undefined) return null
    const region = { offset: hole.offset, length }
    const rest = { offset: hole.offset + length, length: hole.length - length }
    this.#holes.splice(at, 1, ...(rest.length > 0 ? [rest] : []))
    this.#taken.add(region.offset)
    this.#usedBytes += length
    return region
  }

  give(region: Region): void {
    if (!this.#taken.delete(region.offset)) throw new RangeError('The region is not taken')
    this.#usedBytes -= region.length
    const at = this.#holesBefore(region.offset)
    const [before, after] = [this.#holes[at - 1], this.#holes[at]]
    const joinsBefore = before !== undefined && endOf(before) === region.offset
    const joinsAfter = after !== undefined && endOf(region) === after.offset
    const offset = joinsBefore ? before.offset : region.offset
    const end = joinsAfter ? endOf(after) : endOf(region)
    const joined = Number(joinsBefore) + Number(joinsAfter)
    this.#holes.splice(joinsBefore ? at - 1 : at, joined, { offset, length: end - offset })
  }

  view({ offset, length }: Region): Uint8Array<SharedArrayBuffer> {
    return new Uint8Array(this.#buffer, offset, length)
  }

  /** The parts of a range that nobody has taken. */
  freePartsOf({ offset, length }: Region): Region[] {
    const end = offset + length
    // The hole before the range may reach into it.
    const first = Math.max(0, this.#holesBefore(offset) - 1)
    return this.#holes
      .slice(first, this.#holesBefore(end))
      .map(hole => ({ start: Math.max(hole.offset, offset), end: Math.min(endOf(hole), end) }))
      .filter(part => part.start < part.end)
      .map(part => ({ offset: part.start, length: part.end - part.start }))
  }

  /** How many holes begin before this offset. Found by halves: a cache may give back tens of thousands of regions. */
  #holesBefore(offset: number): number {
    let [low, high] = [0, this.#holes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#holes[middle]?.offset ?? offset) < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

const endOf = ({ offset, length }: Region): number => offset + length

const reserve = (bytes: number): SharedArrayBuffer => {
  try {
    return new SharedArrayBuffer(bytes)
  } catch {
    throw new StartError('SCORER_MEMORY_BYTES is more than this system lets a process reserve')
  }
}
