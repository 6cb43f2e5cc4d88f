import type { TokenisedQuestion } from './backend.ts'

/** Tokens of a block: a longer segment is read in blocks that do not see each other. */
export const BLOCK = 256

/**
 * Most rows of a piece. Not a matter of speed: onnxruntime adds up a product over more keys in panels, and the
 * place of a piece among its neighbours would show in the last bits.
 */
export const MAX_ROWS = 256

/** Places of instructions come first, then those of options, then those of states. */
export const PLACES = { instruction: 0, option: BLOCK, state: 2 * BLOCK }

export type Part = {
  readonly ids: Int32Array
  /** The place of its first row. */
  readonly place: number
  /** Which of the piece's parts its rows see beside their own. */
  readonly reads: number
}

/** Texts that are read together: some or all of a question, or a state that is short. Its rows lie in one slot of a run. */
export type Piece = { readonly rows: number; readonly parts: readonly Part[] }

/** Pieces in one run, whosever they are. Rows that fill up a slot belong to none. */
export type Run = {
  readonly slots: number
  readonly ids: Int32Array
  readonly places: Int32Array
  readonly own: Int32Array
  readonly reads: Int32Array
  /** The first row of each piece. */
  readonly starts: readonly number[]
}

/** An instruction and options that see it. */
export const pieceOfQuestion = (instruction: Int32Array, options: readonly Int32Array[]): Piece =>
  piece([
    { ids: instruction, place: PLACES.instruction, reads: 0 },
    ...options.map(ids => ({ ids, place: PLACES.option, reads: 0 })),
  ])

export const pieceOfState = (ids: Int32Array): Piece => piece([{ ids, place: PLACES.state, reads: 0 }])

/** Blocks that see nothing of each other. */
export const pieceOfBlocks = (blocks: readonly Pick<Part, 'ids' | 'place'>[]): Piece =>
  piece(blocks.map((block, reads) => ({ ...block, reads })))

/** Rows of a question whose instruction is read once. */
export const rowsOf = ({ instruction, options }: TokenisedQuestion): number =>
  options.reduce((sum, { length }) => sum + length, instruction.length)

const piece = (parts: readonly Part[]): Piece => ({
  parts,
  rows: parts.reduce((sum, { ids }) => sum + ids.length, 0),
})

/** The number of rows that fill up a slot: they see each other, and nothing else does. */
const FILLER = -1

export const runOf = (pieces: readonly Piece[]): Run => {
  const { slots, size, starts } = layOut(pieces.map(({ rows }) => rows))
  const column = () => new Int32Array(slots * size)
  const [ids, places, own, reads] = [column(), column(), column().fill(FILLER), column().fill(FILLER)]
  let first = 0
  for (const [p, { parts }] of pieces.entries()) {
    let at = starts[p] ?? 0
    for (const [n, part] of parts.entries()) {
      const end = at + part.ids.length
      ids.set(part.ids, at)
      for (let row = at; row < end; row++) places[row] = part.place + row - at
      own.fill(first + n, at, end)
      reads.fill(first + part.reads, at, end)
      at = end
    }
    first += parts.length
  }
  return { slots, ids, places, own, reads, starts }
}

type Layout = { readonly slots: number; readonly size: number; readonly starts: readonly number[] }

/** Slots as long as the longest piece; the long ones first, each in the first slot with room for it. */
const layOut = (lengths: readonly number[]): Layout => {
  const size = Math.max(...lengths)
  const filled: number[] = []
  const starts: number[] = []
  for (const [index, length] of [...lengths.entries()].toSorted(([, a], [, b]) => b - a)) {
    const found = filled.findIndex(rows => rows + length <= size)
    const slot = found < 0 ? filled.length : found
    const rows = filled[slot] ?? 0
    starts[index] = slot * size + rows
    filled[slot] = rows + length
  }
  return { slots: filled.length, size, starts }
}
