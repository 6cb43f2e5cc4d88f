import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Backend, MemoryPool } from './backend.ts'
import { instructionBytes } from './kept-instruction.ts'
import { encodedRowsOf } from './long-questions.ts'
import { env } from './onnxruntime.ts'
import { BLOCK } from './pieces.ts'
import { openPool } from './pool.ts'
import { readQuestions } from './questions.ts'
import { encodeState, stateBytes } from './states.ts'
import type { Provider, Shape } from './steps.ts'

export type BackendOptions = {
  /** A provider that cannot load is an error; there is no silent fallback. */
  readonly provider: Provider
  /** Threads of each worker. */
  readonly threads: number
  readonly workers: number
  /** Holds instructions, at `instructionBytesOf` each, while their options are encoded. */
  readonly scratch: MemoryPool
  /** Called once if the engine is beyond help. The backend then refuses everything. */
  readonly onFault: (fault: Error) => void
}

const Description = v.object({
  id: v.string(),
  shape: v.object({
    layers: v.number(),
    heads: v.number(),
    head_width: v.number(),
    width: v.number(),
    block: v.literal(BLOCK),
    first_side: v.number(),
  }),
})

/** Opens the engine on a snapshot folder. The engine is ready when the promise resolves. */
export const openBackend = async (
  folder: string,
  { provider, threads, workers, scratch, onFault }: BackendOptions,
): Promise<Backend> => {
  const { id, shape } = await describe(folder)
  const pool = await openPool({ folder, shape, provider, threads }, { workers, snapshot: id, onFault })
  return {
    engine: `onnxruntime-node ${env.versions.node} (${provider})`,
    stateBytes: tokens => stateBytes(tokens, shape),
    encodedRows: encodedRowsOf,
    encodeState: (ids, waiter, memory) => encodeState(pool, shape, ids, waiter, memory),
    readQuestions: (state, questions, waiter, known) =>
      readQuestions({ pool, shape, state, waiter, scratch, known }, questions),
    close: pool.close,
  }
}

/** The most memory that an instruction of `tokens` tokens occupies with the snapshot in `folder`. */
export const instructionBytesOf = async (folder: string, tokens: number): Promise<number> =>
  instructionBytes(tokens, (await describe(folder)).shape)

const describe = async (folder: string): Promise<{ id: string; shape: Shape }> => {
  const { id, shape } = v.parse(
    Description,
    JSON.parse(await readFile(join(folder, 'snapshot.json'), 'utf8')),
  )
  return { id, shape: { ...shape, headWidth: shape.head_width, firstSide: shape.first_side } }
}
