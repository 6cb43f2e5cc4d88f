import { addRows } from './add-rows.ts'
import type { TokenisedQuestion } from './backend.ts'
import { INSTRUCTION, type Segment } from './segments.ts'
import type { Outline, Readout, SegmentRows, Shape } from './steps.ts'

export const outlineOf = (
  { instruction, options, optionInstructionIncluded, scale }: TokenisedQuestion,
  { firstSide }: Shape,
): Outline => ({
  instructionTokens: instruction.length,
  sides: options.map(([opening = Number.NaN]) => opening - firstSide),
  optionInstructionIncluded,
  scale,
})

/**
 * Accumulates the rows that one question's logits are read from. Blocks are added in order, so the sums do not depend
 * on how the question was cut into runs.
 */
export class Tally {
  readonly #question: Outline
  readonly #width: number
  readonly #options: readonly Pooled[]
  readonly #instruction: Pooled

  constructor(question: Outline, width: number) {
    this.#question = question
    this.#width = width
    this.#options = question.sides.map(() => new Pooled(width))
    this.#instruction = new Pooled(width)
  }

  /** Adds the segment at index `number` of `rows`. */
  add(segment: Segment, number: number, rows: SegmentRows): void {
    if (segment.option !== INSTRUCTION) this.#options[segment.option]?.add(rows, number, segment.length)
    // An instruction that is repeated in several runs has the same rows in each, so it is added only once.
    else if (this.#instruction.count < this.#question.instructionTokens)
      this.#instruction.add(rows, number, segment.length)
  }

  readout(): Readout {
    const { optionInstructionIncluded, scale } = this.#question
    const width = this.#width
    const count = this.#options.length
    // A product with a single row may be computed differently, so there are always two.
    const rows = Math.max(2, count)
    const openings = new Float32Array(rows * width)
    const options = new Float32Array(rows * width)
    const found = new Float32Array(rows * 2 * width)
    const sides = new Int32Array(rows)
    sides.set(this.#question.sides)
    for (const [o, pooled] of this.#options.entries()) {
      openings.set(pooled.first, o * width)
      const included = optionInstructionIncluded[o] === true
      options.set(included ? pooled.meanWith(this.#instruction) : pooled.mean(), o * width)
      found.set(pooled.found(), o * 2 * width)
    }
    return { openings, options, found, told: this.#instruction.found(), sides, scale, count }
  }
}

/** Sums and maxima over the rows of an option or of the instruction. */
class Pooled {
  readonly first: Float32Array
  readonly #sum: Float64Array
  readonly #foundSum: Float64Array
  readonly #most: Float32Array
  count = 0

  constructor(width: number) {
    this.first = new Float32Array(width)
    this.#sum = new Float64Array(width)
    this.#foundSum = new Float64Array(width)
    this.#most = new Float32Array(width).fill(Number.NEGATIVE_INFINITY)
  }

  add({ firsts, sums, found, most }: SegmentRows, number: number, count: number): void {
    const width = this.#sum.length
    const own = (all: Float64Array | Float32Array) => all.subarray(number * width, (number + 1) * width)
    if (this.count === 0) this.first.set(own(firsts))
    this.count += count
    addRows(this.#sum, own(sums))
    addRows(this.#foundSum, own(found))
    for (const [i, value] of own(most).entries()) this.#most[i] = Math.max(this.#most[i] ?? value, value)
  }

  mean(): Float32Array {
    // `Float32Array.from` takes several times as long, during which no request is read.
    return new Float32Array(this.#sum.map(sum => sum / this.count))
  }

  meanWith(other: Pooled): Float32Array {
    const count = this.count + other.count
    return new Float32Array(this.#sum.map((sum, i) => (sum + (other.#sum[i] ?? 0)) / count))
  }

  /** Mean and maximum of what was found, side by side. */
  found(): Float32Array {
    const width = this.#sum.length
    const both = new Float32Array(2 * width)
    both.set(this.#foundSum.map(sum => sum / this.count))
    both.set(this.#most, width)
    return both
  }
}
