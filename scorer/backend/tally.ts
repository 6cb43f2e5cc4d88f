import type { TokenisedQuestion } from './backend.ts'
import { INSTRUCTION, type Pack } from './packing.ts'
import type { Outcome, Readout } from './steps.ts'

/**
 * What is known so far of the rows that decide one question. Blocks are added in their order, so the sums do not
 * depend on how the question was cut into runs.
 */
export class Tally {
  private readonly question: TokenisedQuestion
  private readonly width: number
  private readonly openings: Float32Array
  private readonly sums: Float64Array
  private readonly instruction: Float64Array
  private instructionMissing: number
  private missing: number

  constructor(question: TokenisedQuestion, width: number) {
    // A product with a single row may be computed differently: there are always two.
    const rows = Math.max(2, question.options.length)
    this.question = question
    this.width = width
    this.openings = new Float32Array(rows * width)
    this.sums = new Float64Array(rows * width)
    this.instruction = new Float64Array(width)
    this.instructionMissing = question.instruction.length
    this.missing = question.options.reduce((sum, option) => sum + option.length, 0)
  }

  get complete(): boolean {
    return this.missing === 0
  }

  /** Takes in one segment of a run, the `number`-th, which is the `opening`-th that opens an option. */
  add(pack: Pack, number: number, opening: number, outcome: Outcome['question']): void {
    const { width } = this
    const segment = pack.segments[number]
    if (segment === undefined) return
    const sum = outcome.sums.subarray(number * width, (number + 1) * width)
    if (segment.option === INSTRUCTION) {
      // An instruction that is repeated in several runs has the same rows in each.
      if (this.instructionMissing === 0) return
      this.instructionMissing -= segment.length
      addTo(this.instruction, sum)
      return
    }
    this.missing -= segment.length
    addTo(this.sums.subarray(segment.option * width, (segment.option + 1) * width), sum)
    if (segment.opens) {
      this.openings.set(
        outcome.openings.subarray(opening * width, (opening + 1) * width),
        segment.option * width,
      )
    }
  }

  readout(state: Float32Array): Readout {
    const { question, width, openings } = this
    const options = new Float32Array(this.sums.length)
    for (const [o, ids] of question.options.entries()) {
      const included = question.optionInstructionIncluded[o] === true
      const count = ids.length + (included ? question.instruction.length : 0)
      for (let i = 0; i < width; i++) {
        const own = this.sums[o * width + i] ?? 0
        options[o * width + i] = (included ? own + (this.instruction[i] ?? 0) : own) / count
      }
    }
    return { openings, options, state, scale: question.scale }
  }
}

const addTo = (sum: Float64Array, more: Float64Array): void => {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (more[i] ?? 0)
}
