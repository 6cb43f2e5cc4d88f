import type { TokenisedQuestion } from './backend.ts'
import { BLOCK } from './packing.ts'

/** Texts that are read together: a question, or a state that is short. Its rows lie in one slot of a run. */
export type Piece = {
  readonly rows: number
  /** The first may be an instruction, which all others see. */
  readonly segments: readonly Int32Array[]
  readonly kind: 'question' | 'state'
}

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

export const pieceOfQuestion = ({ instruction, options }: TokenisedQuestion): Piece =>
  piece('question', [instruction, ...options])

export const pieceOfState = (ids: Int32Array): Piece => piece('state', [ids])

const piece = (kind: Piece['kind'], segments: readonly Int32Array[]): Piece => ({
  kind,
  segments,
  rows: segments.reduce((sum, { length }) => sum + length, 0),
})

/** The number of rows that fill up a slot: they see each other, and nothing else does. */
const FILLER = -1

export const runOf = (pieces: readonly Piece[]): Run => {
  const { slots, size, starts } = layOut(pieces.map(({ rows }) => rows))
  const column = () => new Int32Array(slots * size)
  const [ids, places, own, reads] = [column(), column(), column().fill(FILLER), column().fill(FILLER)]
  let number = 0
  for (const [p, { segments, kind }] of pieces.entries()) {
    const first = number
    let at = starts[p] ?? 0
    for (const tokens of segments) {
      const end = at + tokens.length
      ids.set(tokens, at)
      const place = firstPlace(kind, number === first)
      for (let row = at; row < end; row++) places[row] = place + row - at
      own.fill(number, at, end)
      reads.fill(first, at, end)
      number++
      at = end
    }
  }
  return { slots, ids, places, own, reads, starts }
}

/** Places of instructions come first, then those of options, then those of states. */
const firstPlace = (kind: Piece['kind'], isFirst: boolean): number => {
  if (kind === 'state') return 2 * BLOCK
  return isFirst ? 0 : BLOCK
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
