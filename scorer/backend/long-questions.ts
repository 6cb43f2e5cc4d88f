import type { TokenisedQuestion } from './backend.ts'
import { inOrder } from './in-order.ts'
import type { Job } from './job.ts'
import { withMemory } from './kept-instruction.ts'
import { rowsOf } from './known-rows.ts'
import { lotsOf } from './lots.ts'
import {
  BLOCK,
  MAX_ROWS,
  PLACES,
  pieceOfBlocks,
  pieceOfQuestion,
  type Run,
  rowCountOf,
  runOf,
} from './pieces.ts'
import { INSTRUCTION, type Segment, segmentsOf } from './segments.ts'
import type { KeptInstruction, StepOf } from './steps.ts'
import { outlineOf, Tally } from './tally.ts'

/** Rows to encode in one step, and the segments that the last of them consist of, which are compared. */
type Portion = { readonly step: StepOf<'piece' | 'apart'>; readonly segments: readonly Segment[] }

/**
 * Answers a question that is too long for a single piece, portion by portion, so that few of its rows are held at a
 * time however long it is. An option that fits in a piece with the instruction is encoded together with it. For longer
 * options, the instruction is first encoded block by block and kept; the options then follow, also block by block.
 * Only portions of the first kind may be known from other states.
 */
export const readLong = async (job: Job, question: TokenisedQuestion): Promise<Float32Array> => {
  const { pool, shape, waiter } = job
  const state = await job.state
  const { key, focus, instruction } = question
  const tally = new Tally(outlineOf(question, shape), shape.width)
  const readAndCompare = async ({ step, segments }: Portion) => {
    const encoded = await (step.kind === 'piece'
      ? rowsOf(job, key, segments.at(-1)?.option ?? 0, step.piece)
      : pool.run(step))
    const compared = segments.reduce((sum, { length }) => sum + length, 0)
    const rows = encoded.slice(-compared * shape.width)
    return pool.run({ kind: 'compare', rows, segments, state, focus })
  }
  const read = async (portions: Iterable<Portion>): Promise<void> => {
    const steps = inOrder(portions, readAndCompare, pool.workers + 1, waiter)
    for await (const [{ segments }, compared] of steps) {
      for (const [n, segment] of segments.entries()) tally.add(segment, n, compared)
    }
  }

  const { lots, apart } = divided(question)
  await read(besideInstruction(question, lots))
  if (apart.length > 0) {
    await withMemory(job, instruction.length, async room => {
      await read(kept([[INSTRUCTION, instruction]], room))
      await read(told(apart, room))
    })
  }
  const [logits = new Float32Array()] = await pool.run({
    kind: 'readout',
    questions: [tally.readout()],
    state,
    focus,
  })
  return logits
}

/** How many rows are encoded for a question: its own, and its instruction's once more for each further lot of options. */
export const encodedRowsOf = (question: TokenisedQuestion): number => {
  const rows = rowCountOf(question)
  // One request may ask tens of thousands of these, which are counted on the thread that answers requests.
  if (rows <= MAX_ROWS) return rows
  const { lots, apart } = divided(question)
  const timesInstruction = lots.length + (apart.length > 0 ? 1 : 0)
  return rows + (timesInstruction - 1) * question.instruction.length
}

/** The options in lots that fit in a piece with the instruction, and those that are too long for that. */
const divided = ({ instruction, options }: TokenisedQuestion) => {
  const room = MAX_ROWS - instruction.length
  const fits = (option: Text) => lengthOf(option) <= room
  const all = [...options.entries()]
  return { lots: [...lotsOf(all.filter(fits), room, lengthOf)], apart: all.filter(one => !fits(one)) }
}

/** An option, the instruction, or a block of either. */
type Text = readonly [option: number, ids: Int32Array]

const lengthOf = ([, ids]: Text): number => ids.length

/**
 * Lots of options beside the instruction, which is encoded again with each lot. Its rows are the same each time, so they
 * are compared only once.
 */
function* besideInstruction(
  question: TokenisedQuestion,
  lots: readonly (readonly Text[])[],
): Generator<Portion> {
  const { instruction } = question
  for (const [n, lot] of lots.entries()) {
    const texts = lot.map(([, ids]) => ids)
    const indices = lot.map(([index]) => index)
    yield {
      step: { kind: 'piece', piece: pieceOfQuestion(instruction, texts) },
      segments: segmentsOf(question, 0, indices).slice(n === 0 ? 0 : 1),
    }
  }
}

/** Blocks that see an instruction. */
function* told(texts: Iterable<Text>, instruction: KeptInstruction): Generator<Portion> {
  for (const { run, segments } of runsOfBlocks(texts)) {
    yield { step: { kind: 'apart', run, instruction }, segments }
  }
}

/** Blocks whose keys and values are kept, one run after another. */
function* kept(texts: Iterable<Text>, into: KeptInstruction): Generator<Portion> {
  let at = 0
  for (const { run, segments } of runsOfBlocks(texts)) {
    yield { step: { kind: 'apart', run, keep: { at, into } }, segments }
    at += run.ids.length
  }
}

function* runsOfBlocks(texts: Iterable<Text>): Generator<{ run: Run; segments: Segment[] }> {
  for (const blocks of lotsOf(blocksOf(texts), MAX_ROWS, lengthOf)) {
    const parts = blocks.map(([option, ids]) => ({
      ids,
      place: option === INSTRUCTION ? PLACES.instruction : PLACES.option,
    }))
    const segments = blocks.map(([option, ids]) => ({ question: 0, option, length: ids.length }))
    yield { run: runOf([pieceOfBlocks(parts)]), segments }
  }
}

function* blocksOf(texts: Iterable<Text>): Generator<Text> {
  for (const [option, ids] of texts) {
    for (let at = 0; at < ids.length; at += BLOCK) yield [option, ids.subarray(at, at + BLOCK)]
  }
}
