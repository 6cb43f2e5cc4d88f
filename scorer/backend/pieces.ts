import type { TokenisedQuestion } from './backend.ts'

/** Tokens of a block. A longer text is encoded in blocks that do not see each other. */
export const BLOCK = 256

/**
 * The most rows that a piece may have. This is not for speed: onnxruntime adds up products over more keys than this in
 * panels, and the position of a piece among its neighbours would then change the last bits.
 */
export const MAX_ROWS = 256

/** Places of instructions come first, then those of options, then those of states. */
export const PLACES = { instruction: 0, option: BLOCK, state: 2 * BLOCK }

type Part = {
  readonly ids: Int32Array
  /** The place of its first row. */
  readonly place: number
  /** Which of the piece's parts its rows see in addition to their own. */
  readonly reads: number
}

/** Texts encoded together: some or all of a question, or a short state. A piece's rows lie in one slot of a run. */
export type Piece = { readonly rows: number; readonly parts: readonly Part[] }

/** Pieces in one run, whichever jobs they belong to. Rows that pad a slot belong to no piece. */
export type Run = {
  readonly slots: number
  readonly ids: Int32Array
  readonly places: Int32Array
  readonly own: Int32Array
  readonly reads: Int32Array
  /** The first row of each piece, and how many it has. */
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
}

/** An instruction and options that see it. */
export const pieceOfQuestion = (instruction: Int32Array, options: readonly Int32Array[]): Piece =>
  piece([
    { ids: instruction, place: PLACES.instruction, reads: 0 },
    ...options.map(ids => ({ ids, place: PLACES.option, reads: 0 })),
  ])

export const pieceOfState = (ids: Int32Array): Piece => piece([{ ids, place: PLACES.state, reads: 0 }])

/** Blocks that do not see each other. */
export const pieceOfBlocks = (blocks: readonly Pick<Part, 'ids' | 'place'>[]): Piece =>
  piece(blocks.map((block, reads) => ({ ...block, reads })))

/** The rows of a question whose instruction is encoded only once. */
export const rowCountOf = ({ instruction, options }: TokenisedQuestion): number =>
  options.reduce((sum, { length }) => sum + length, instruction.length)

const piece = (parts: readonly Part[]): Piece => ({
  parts,
  rows: parts.reduce((sum, { ids }) => sum + ids.length, 0),
})

/** Marks the rows that pad a slot. They see each other, and no other row sees them. */
const FILLER = -1

export const runOf = (pieces: readonly Piece[]): Run => {
  const lengths = pieces.map(({ rows }) => rows)
  const { slots, size, starts } = layOut(lengths)
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
  return { slots, ids, places, own, reads, starts, lengths }
}

/** Each piece's rows of a run. Copies, so that one piece does not hold on to the rows of every other. */
export const rowsOfEach = ({ starts, lengths }: Run, rows: Float32Array, width: number): Float32Array[] =>
  starts.map((start, piece) => rows.slice(start * width, (start + (lengths[piece] ?? 0)) * width))

type Layout = { readonly slots: number; readonly size: number; readonly starts: readonly number[] }

/** All slots are as long as the longest piece. Longest first, each piece goes into the first slot with room for it. */
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
