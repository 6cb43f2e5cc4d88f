import type { TokenisedQuestion } from './backend.ts'

/** Tokens of a block: a longer segment is read in blocks that do not see each other. */
export const BLOCK = 256

/**
 * Most rows of a run. Not a matter of speed: onnxruntime adds up a product over more keys in panels, and the
 * place of a question among its neighbours would show in the last bits.
 */
export const MAX_ROWS = 256

export const INSTRUCTION = -1

/** A stretch of rows that are one block of an instruction or of an option. */
export type Segment = {
  readonly question: number
  /** The option's index, or INSTRUCTION. */
  readonly option: number
  readonly start: number
  readonly length: number
  /** Whether it is the block in which the option opens. */
  readonly opens: boolean
}

/** The rows of one run. */
export type Pack = {
  readonly ids: Int32Array
  /** Position in the segment, plus BLOCK for an option. */
  readonly places: Int32Array
  /** The number of the row's own segment. */
  readonly own: Int32Array
  /** The number of the segment that holds the row's instruction; its own where that is not among the rows. */
  readonly reads: Int32Array
  readonly segments: readonly Segment[]
}

/** An option is read in the same run as its instruction where both fit. */
export const readsBeside = (instruction: Int32Array, option: Int32Array): boolean =>
  instruction.length + option.length <= MAX_ROWS

/** Some options of a question. */
export type Selection = {
  readonly index: number
  readonly question: TokenisedQuestion
  readonly options: readonly number[]
}

/** Runs in which options stand beside their instruction, several questions to a run where they fit. */
export function* packsBeside(selections: Iterable<Selection>): Generator<Pack> {
  let pack = new PackBuilder()
  for (const selection of selections) {
    const { question, options } = selection
    const rows = options.reduce((sum, o) => sum + idsOf(question, o).length, question.instruction.length)
    if (!pack.fits(Math.min(rows, MAX_ROWS))) {
      yield pack.build()
      pack = new PackBuilder()
    }
    for (const next of fill(pack, selection)) {
      yield pack.build()
      pack = next
    }
  }
  if (pack.rows > 0) yield pack.build()
}

/** Runs over the blocks of segments that see nothing of each other. */
export function* packsOfBlocks(
  index: number,
  segments: Iterable<readonly [option: number, ids: Int32Array]>,
): Generator<Pack> {
  let pack = new PackBuilder()
  for (const [option, ids] of segments) {
    for (let at = 0; at < ids.length; at += BLOCK) {
      const block = ids.subarray(at, at + BLOCK)
      if (!pack.fits(block.length)) {
        yield pack.build()
        pack = new PackBuilder()
      }
      pack.add(index, option, block, { opens: at === 0 })
    }
  }
  if (pack.rows > 0) yield pack.build()
}

/** Adds what fits; yields a fresh builder, which opens with the instruction again, whenever one is full. */
function* fill(pack: PackBuilder, { index, question, options }: Selection): Generator<PackBuilder> {
  let current = pack
  let instruction: number | undefined
  for (const option of options) {
    const ids = idsOf(question, option)
    const needed = ids.length + (instruction === undefined ? question.instruction.length : 0)
    if (!current.fits(needed)) {
      current = new PackBuilder()
      instruction = undefined
      yield current
    }
    instruction ??= current.add(index, INSTRUCTION, question.instruction, { opens: false })
    current.add(index, option, ids, { opens: true, reads: instruction })
  }
}

const idsOf = (question: TokenisedQuestion, option: number): Int32Array =>
  question.options[option] ?? NO_TOKENS
const NO_TOKENS = new Int32Array()

class PackBuilder {
  rows = 0
  private readonly parts: { ids: Int32Array; option: boolean; reads: number }[] = []
  private readonly segments: Segment[] = []

  fits(length: number): boolean {
    return this.rows === 0 || this.rows + length <= MAX_ROWS
  }

  /** Adds a segment and returns its number. */
  add(question: number, option: number, ids: Int32Array, how: { opens: boolean; reads?: number }): number {
    const number = this.parts.length
    this.parts.push({ ids, option: option !== INSTRUCTION, reads: how.reads ?? number })
    this.segments.push({ question, option, start: this.rows, length: ids.length, opens: how.opens })
    this.rows += ids.length
    return number
  }

  build(): Pack {
    const column = () => new Int32Array(this.rows)
    const [ids, places, own, reads] = [column(), column(), column(), column()]
    let row = 0
    for (const [number, part] of this.parts.entries()) {
      ids.set(part.ids, row)
      own.fill(number, row, row + part.ids.length)
      reads.fill(part.reads, row, row + part.ids.length)
      for (let position = 0; position < part.ids.length; position++) {
        places[row++] = position + (part.option ? BLOCK : 0)
      }
    }
    return { ids, places, own, reads, segments: this.segments }
  }
}
