import type { Job } from './job.ts'
import type { Piece } from './pieces.ts'

/** A piece's rows: from `known` if they are there or on their way; otherwise, or if that fails, encoded here. */
export const rowsOf = ({ pool, shape, known }: Job, key: string, piece: Piece): Promise<Float32Array> => {
  const read = () => pool.run({ kind: 'piece', piece })
  const there = known.get(key)
  if (there !== undefined) return there.catch(read)
  const rows = read()
  known.keep(key, piece.rows * shape.width * Float32Array.BYTES_PER_ELEMENT, rows)
  return rows
}
