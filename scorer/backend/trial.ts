import { pieceOfState, runOf } from './pieces.ts'
import type { Shape, WorkerStep } from './steps.ts'

/**
 * Steps that run every graph once, on two tokens. A provider may load and yet be unable to compute, as a GPU without half
 * precision is: that is found out at the start, not by the first caller.
 */
export const trialSteps = ({ width }: Shape): WorkerStep[] => {
  const tokens = 2
  const ids = new Int32Array(tokens)
  const run = runOf([pieceOfState(ids)])
  const state = {
    tokens,
    rows: new Uint16Array(new SharedArrayBuffer(tokens * width * Uint16Array.BYTES_PER_ELEMENT)),
    mean: new Float32Array(new SharedArrayBuffer(width * Float32Array.BYTES_PER_ELEMENT)),
  }
  const sight = { state, focus: [] }
  const rows = (columns = width) => new Float32Array(tokens * columns)
  const question = {
    openings: rows(),
    options: rows(),
    found: rows(2 * width),
    told: new Float32Array(2 * width),
    sides: new Int32Array(tokens),
    scale: 1,
    count: tokens,
  }
  return [
    { kind: 'state', ids, blocks: 1, at: 0, into: state },
    { kind: 'run', run },
    { kind: 'apart', run },
    { kind: 'compare', rows: rows(), segments: [], ...sight },
    { kind: 'readout', questions: [question], ...sight },
  ]
}
