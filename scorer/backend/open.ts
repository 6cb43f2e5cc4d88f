import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { env } from 'onnxruntime-node'
import * as v from 'valibot'
import type { Backend, EncodedState, Scratch, Signal } from './backend.ts'
import { floatToHalf } from './half.ts'
import { inOrder, stopIfOver } from './in-order.ts'
import { instructionBytes, ownScratch } from './kept-instruction.ts'
import { BLOCK, pieceOfState } from './pieces.ts'
import { openPool, type Pool } from './pool.ts'
import { readQuestions } from './questions.ts'
import type { Provider, Shape, Step } from './steps.ts'

export type BackendOptions = {
  /** A provider that cannot load is an error, never a quiet fallback. */
  readonly provider?: Provider
  /** Threads of each worker; by default the machine's cores shared out among the workers. */
  readonly threads?: number
  readonly workers?: number
  /** For instructions, `instructionBytesOf` each, while their options are read. */
  readonly scratch?: Scratch
  /** Called once if a worker dies. The backend then refuses everything. */
  readonly onFault?: (fault: Error) => void
}

const Description = v.object({
  shape: v.object({
    layers: v.number(),
    heads: v.number(),
    head_width: v.number(),
    width: v.number(),
    block: v.literal(BLOCK),
    first_side: v.number(),
  }),
})

/** Opens the engine on a snapshot folder; ready when it resolves. */
export const openBackend = async (folder: string, options: BackendOptions = {}): Promise<Backend> => {
  const { provider = 'cpu', workers = 1, scratch = ownScratch, onFault = () => {} } = options
  const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / workers))
  const shape = await readShape(folder)
  const pool = await openPool({ folder, shape, provider, threads }, workers, onFault)
  return {
    engine: `onnxruntime-node ${env.versions.node} (${provider})`,
    stateBytes: tokens => stateBytes(tokens, shape),
    encodeState: (ids, signal, memory) =>
      encodeState(pool, shape, ids, signal, memory ?? ownMemory(stateBytes(ids.length, shape))),
    readQuestions: (state, questions, signal, known) =>
      readQuestions({ pool, shape, state, signal, scratch }, questions, known),
    close: pool.close,
  }
}

/** What an instruction of so many tokens occupies at most, on the snapshot of a folder. */
export const instructionBytesOf = async (folder: string, tokens: number): Promise<number> =>
  instructionBytes(tokens, await readShape(folder))

const readShape = async (folder: string): Promise<Shape> => {
  const { shape } = v.parse(Description, JSON.parse(await readFile(join(folder, 'snapshot.json'), 'utf8')))
  return { ...shape, headWidth: shape.head_width, firstSide: shape.first_side }
}

/** Whole blocks go two to a run; how they are grouped depends on the state's length alone. */
const BLOCKS_PER_RUN = 2
const BYTES_PER_HALF = 2
/** Tokens of a state that rides in one run with others and with questions. */
const BRIEF_STATE = 128

const encodeState = async (
  pool: Pool,
  shape: Shape,
  ids: Int32Array,
  signal: Signal,
  memory: Uint8Array<SharedArrayBuffer>,
): Promise<EncodedState> => {
  const state = newState(ids.length, shape, memory)
  if (ids.length <= BRIEF_STATE) {
    stopIfOver(signal)
    fill(state, await pool.run({ kind: 'piece', piece: pieceOfState(ids) }))
    return state
  }
  const sum = new Float64Array(shape.width)
  for await (const [, sums] of inOrder(
    stateSteps(ids, state),
    step => pool.run(step),
    pool.workers + 1,
    signal,
  )) {
    for (const [i, value] of sums.entries()) {
      const column = i % shape.width
      sum[column] = (sum[column] ?? 0) + value
    }
  }
  state.mean.set(sum.map(value => value / ids.length))
  return state
}

const fill = ({ rows, mean, tokens }: EncodedState, read: Float32Array): void => {
  const sum = new Float64Array(mean.length)
  for (const [i, value] of read.entries()) {
    rows[i] = floatToHalf(value)
    const column = i % mean.length
    sum[column] = (sum[column] ?? 0) + value
  }
  mean.set(sum.map(value => value / tokens))
}

function* stateSteps(ids: Int32Array, into: EncodedState): Generator<Extract<Step, { kind: 'state' }>> {
  let at = 0
  while (at < ids.length) {
    const whole = Math.floor((ids.length - at) / BLOCK)
    const blocks = Math.max(1, Math.min(whole, BLOCKS_PER_RUN))
    const end = Math.min(ids.length, at + blocks * BLOCK)
    yield { kind: 'state', ids: ids.slice(at, end), blocks, at, into }
    at = end
  }
}

const stateBytes = (tokens: number, { width }: Shape): number =>
  tokens * width * BYTES_PER_HALF + width * Float32Array.BYTES_PER_ELEMENT

const ownMemory = (bytes: number) => new Uint8Array(new SharedArrayBuffer(bytes))

const newState = (tokens: number, shape: Shape, memory: Uint8Array<SharedArrayBuffer>): EncodedState => {
  // The mean comes first: it is the one that must lie on a multiple of four bytes.
  const mean = new Float32Array(memory.buffer, memory.byteOffset, shape.width)
  const at = memory.byteOffset + mean.byteLength
  const rows = new Uint16Array(memory.buffer, at, tokens * shape.width)
  return { tokens, bytes: stateBytes(tokens, shape), rows, mean }
}
