import { addRows } from './add-rows.ts'
import type { EncodedState, Waiter } from './backend.ts'
import { inOrder, stopIfGone } from './in-order.ts'
import { BLOCK, pieceOfState } from './pieces.ts'
import type { Pool } from './pool.ts'
import type { Shape, StepOf } from './steps.ts'

/** Whole blocks go two to a run. Their grouping depends only on the state's length. */
const BLOCKS_PER_RUN = 2
/** A state of at most this many tokens shares runs with other states and with questions. */
const BRIEF_STATE = 128

/** Encodes a state into memory, block by block unless it is brief. */
export const encodeState = async (
  pool: Pool,
  shape: Shape,
  ids: Int32Array,
  waiter: Waiter,
  memory: Uint8Array<SharedArrayBuffer>,
): Promise<EncodedState> => {
  const state = newState(ids.length, shape, memory)
  const sum = new Float64Array(shape.width)
  if (ids.length <= BRIEF_STATE) {
    stopIfGone(waiter)
    const rows = await pool.run({ kind: 'piece', piece: pieceOfState(ids) })
    new Float16Array(state.rows.buffer, state.rows.byteOffset, state.rows.length).set(rows)
    addRows(sum, rows)
  } else {
    const steps = inOrder(blockSteps(ids, state), step => pool.run(step), pool.workers + 1, waiter)
    for await (const [, sums] of steps) addRows(sum, sums)
  }
  state.mean.set(sum.map(value => value / ids.length))
  return state
}

export const stateBytes = (tokens: number, { width }: Shape): number =>
  width * (tokens * Uint16Array.BYTES_PER_ELEMENT + Float32Array.BYTES_PER_ELEMENT)

const newState = (tokens: number, shape: Shape, memory: Uint8Array<SharedArrayBuffer>): EncodedState => {
  // The mean comes first because it must be aligned to four bytes.
  const mean = new Float32Array(memory.buffer, memory.byteOffset, shape.width)
  const at = memory.byteOffset + mean.byteLength
  const rows = new Uint16Array(memory.buffer, at, tokens * shape.width)
  return { tokens, rows, mean }
}

function* blockSteps(ids: Int32Array, into: EncodedState): Generator<StepOf<'state'>> {
  let at = 0
  while (at < ids.length) {
    const whole = Math.floor((ids.length - at) / BLOCK)
    const blocks = Math.max(1, Math.min(whole, BLOCKS_PER_RUN))
    const end = Math.min(ids.length, at + blocks * BLOCK)
    yield { kind: 'state', ids: ids.slice(at, end), blocks, at, into }
    at = end
  }
}
