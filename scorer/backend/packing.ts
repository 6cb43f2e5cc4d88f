import type { TokenisedQuestion } from './backend.ts'

/** Tokens of a block: a longer segment is read in blocks that do not see each other. */
export const BLOCK = 256

/**
 * Most rows of a run. Not a matter of speed: onnxruntime adds up a product over more keys in panels, and the
 * place of a question among its neighbours would show in the last bits.
 */
export const MAX_ROWS = 256

/**
 * Rows of a run lie in slots of one size, and attend only within their slot: that saves most of the work that
 * masks would throw away. Several questions share a slot where they fit.
 */
const SLOT_SIZES = [64, 128, MAX_ROWS]

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

/** The rows of one run, [slots, rows]. Rows that fill up a slot belong to no segment. */
export type Pack = {
  readonly slots: number
  readonly ids: Int32Array
  /** Position in the segment, plus BLOCK for an option. */
  readonly places: Int32Array
  /** The number of the row's own segment. */
  readonly own: Int32Array
  /** The number of the segment that holds the row's instruction; its own where that is not in the slot. */
  readonly reads: Int32Array
  readonly segments: readonly Segment[]
}

/** Some options of a question. */
export type Selection = {
  readonly index: number
  readonly question: TokenisedQuestion
  readonly options: readonly number[]
}

/** An option is read in the same run as its instruction where both fit. */
export const readsBeside = (instruction: Int32Array, option: Int32Array): boolean =>
  instruction.length + option.length <= MAX_ROWS

/** Runs in which options stand beside their instruction. */
export function* packsBeside(selections: readonly Selection[]): Generator<Pack> {
  for (const size of SLOT_SIZES) {
    const fitting = selections.filter(selection => slotSize(selection) === size)
    yield* packsOf(slotsBeside(fitting, size), MAX_ROWS)
  }
}

/** Runs over the blocks of segments that see nothing of each other. */
export function* packsOfBlocks(
  index: number,
  segments: Iterable<readonly [option: number, ids: Int32Array]>,
): Generator<Pack> {
  yield* packsOf(slotsOfBlocks(index, segments), 1)
}

/** Rows of a question whose instruction is read once. */
export const rowsOf = ({ instruction, options }: TokenisedQuestion): number =>
  options.reduce((sum, { length }) => sum + length, instruction.length)

const slotSize = ({ question, options }: Selection): number => {
  const rows = options.reduce((sum, o) => sum + idsOf(question, o).length, question.instruction.length)
  return SLOT_SIZES.find(size => rows <= size) ?? MAX_ROWS
}

type Part = {
  readonly ids: Int32Array
  readonly segment: Omit<Segment, 'start' | 'length'>
  readonly reads: number
}

/** Parts that share a slot; `reads` counts from the slot's first part. */
class Slot {
  readonly parts: Part[] = []
  rows = 0

  fits(rows: number, size: number): boolean {
    return this.rows + rows <= size
  }

  /** Adds a segment and returns its number in the slot. */
  add(ids: Int32Array, segment: Part['segment'], reads: number = this.parts.length): number {
    this.parts.push({ ids, segment, reads })
    this.rows += ids.length
    return this.parts.length - 1
  }
}

/** A question that does not fit into one slot goes on in the next, its instruction repeated. */
function* slotsBeside(selections: readonly Selection[], size: number): Generator<Slot> {
  let slot = new Slot()
  for (const { index: question, question: asked, options } of selections) {
    const { instruction } = asked
    const rows = options.reduce((sum, o) => sum + idsOf(asked, o).length, instruction.length)
    let told: number | undefined
    const startAfresh = () => {
      const full = slot
      slot = new Slot()
      told = undefined
      return full
    }
    if (slot.rows > 0 && !slot.fits(Math.min(rows, size), size)) yield startAfresh()
    for (const option of options) {
      const ids = idsOf(asked, option)
      if (told !== undefined && !slot.fits(ids.length, size)) yield startAfresh()
      told ??= slot.add(instruction, { question, option: INSTRUCTION, opens: false })
      slot.add(ids, { question, option, opens: true }, told)
    }
  }
  if (slot.rows > 0) yield slot
}

function* slotsOfBlocks(
  question: number,
  segments: Iterable<readonly [option: number, ids: Int32Array]>,
): Generator<Slot> {
  let slot = new Slot()
  for (const [option, ids] of segments) {
    for (let at = 0; at < ids.length; at += BLOCK) {
      const block = ids.subarray(at, at + BLOCK)
      if (!slot.fits(block.length, MAX_ROWS)) {
        yield slot
        slot = new Slot()
      }
      slot.add(block, { question, option, opens: at === 0 && option !== INSTRUCTION })
    }
  }
  if (slot.rows > 0) yield slot
}

/** As many slots to a run as fit into it, all as long as the longest of them. */
function* packsOf(slots: Iterable<Slot>, mostSlots: number): Generator<Pack> {
  let taken: Slot[] = []
  let longest = 0
  for (const slot of slots) {
    const length = Math.max(longest, slot.rows)
    if (taken.length > 0 && (taken.length === mostSlots || (taken.length + 1) * length > MAX_ROWS)) {
      yield packOf(taken)
      taken = []
      longest = 0
    }
    taken.push(slot)
    longest = Math.max(longest, slot.rows)
  }
  if (taken.length > 0) yield packOf(taken)
}

const packOf = (slots: readonly Slot[]): Pack => {
  const rows = Math.max(...slots.map(slot => slot.rows))
  const column = () => new Int32Array(slots.length * rows)
  const [ids, places, own, reads] = [column(), column(), column().fill(FILLER), column().fill(FILLER)]
  const segments: Segment[] = []
  for (const [s, slot] of slots.entries()) {
    const first = segments.length
    let start = s * rows
    for (const { ids: tokens, segment, reads: told } of slot.parts) {
      const end = start + tokens.length
      ids.set(tokens, start)
      own.fill(segments.length, start, end)
      reads.fill(first + told, start, end)
      const offset = segment.option === INSTRUCTION ? 0 : BLOCK
      for (let row = start; row < end; row++) places[row] = row - start + offset
      segments.push({ ...segment, start, length: tokens.length })
      start = end
    }
  }
  return { slots: slots.length, ids, places, own, reads, segments }
}

/** The segment number of rows that fill up a slot. */
const FILLER = -1

const idsOf = (question: TokenisedQuestion, option: number): Int32Array =>
  question.options[option] ?? NO_TOKENS
const NO_TOKENS = new Int32Array()
