import type { Job } from './job.ts'
import type { Piece } from './pieces.ts'

/** The rows of a question's piece: from `known` if they are there or on their way; otherwise, or if that fails, encoded. */
export const rowsOf = (
  { pool, shape, known }: Job,
  question: string,
  number: number,
  piece: Piece,
): Promise<Float32Array> => {
  const read = () => pool.run({ kind: 'piece', piece })
  const there = known.get(question, number)
  if (there !== undefined) return there.catch(read)
  const rows = read()
  known.keep(question, number, piece.rows * shape.width * Float32Array.BYTES_PER_ELEMENT, rows)
  return rows
}
