import type { TokenisedQuestion } from './backend.ts'
import { inOrder } from './in-order.ts'
import { INSTRUCTION, type Pack, packsBeside, packsOfBlocks, readsBeside } from './packing.ts'
import { addAll, type Job, readOut } from './questions.ts'
import { Scratch } from './scratch.ts'
import type { Memory, Shape, StepOf } from './steps.ts'
import { Tally } from './tally.ts'

type QuestionStep = StepOf<'question'>

/** Reads a question that does not fit into one slot, run by run: however long it is, few of its rows are held at a time. */
export const readLong = async (job: Job, question: TokenisedQuestion): Promise<Float32Array> => {
  const { pool, shape, signal } = job
  const state = await job.state
  const { focus, instruction, options } = question
  const tally = new Tally(question, shape)
  const readAndCompare = async (step: QuestionStep) => {
    const rows = await pool.run(step)
    return pool.run({ kind: 'compare', rows, segments: step.pack.segments, state, focus })
  }
  const run = async (steps: Iterable<QuestionStep>): Promise<void> => {
    for await (const [{ pack }, compared] of inOrder(steps, readAndCompare, pool.workers + 1, signal)) {
      addAll(pack.segments, compared, () => tally)
    }
  }

  const index = 0
  const beside = [...options.keys()].filter(o => readsBeside(instruction, options[o] ?? NO_TOKENS))
  const apart = [...options.keys()].filter(o => !readsBeside(instruction, options[o] ?? NO_TOKENS))
  await run(plain(packsBeside([{ index, question, options: beside }])))
  if (apart.length > 0) {
    const buffer = scratch.take(memoryBytes(instruction.length, shape))
    try {
      const memory = memoryIn(buffer, instruction.length, shape)
      await run(kept(packsOfBlocks(index, [[INSTRUCTION, instruction]]), memory))
      const segments = apart.map(o => [o, options[o] ?? NO_TOKENS] as const)
      await run(plain(packsOfBlocks(index, segments), memory))
    } finally {
      scratch.give(buffer)
    }
  }
  const [logits = new Float32Array()] = await readOut(job, [tally])
  return logits
}

const NO_TOKENS = new Int32Array()

function* plain(packs: Iterable<Pack>, instruction?: Memory): Generator<QuestionStep> {
  for (const pack of packs) yield { kind: 'question', pack, ...(instruction && { instruction }) }
}

/** As `plain`, keeping the rows' own keys and values one run after the other. */
function* kept(packs: Iterable<Pack>, into: Memory): Generator<QuestionStep> {
  let at = 0
  for (const pack of packs) {
    yield { kind: 'question', pack, keep: { at, into } }
    at += pack.ids.length
  }
}

/** Instructions that are kept as keys and values while their options are read. */
const scratch = new Scratch()

const memoryBytes = (tokens: number, { layers, heads, headWidth }: Shape): number =>
  2 * layers * heads * tokens * headWidth * Uint16Array.BYTES_PER_ELEMENT

const memoryIn = (buffer: SharedArrayBuffer, tokens: number, shape: Shape): Memory => {
  const bytes = memoryBytes(tokens, shape) / 2
  const part = (at: number) => new Uint16Array(buffer, at, bytes / Uint16Array.BYTES_PER_ELEMENT)
  return { tokens, keys: part(0), values: part(bytes) }
}
