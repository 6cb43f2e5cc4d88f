import type { TokenisedQuestion } from './backend.ts'
import { inOrder } from './in-order.ts'
import { type Job, readOut } from './job.ts'
import { withMemory } from './kept-instruction.ts'
import { lotsOf } from './lots.ts'
import { BLOCK, MAX_ROWS, PLACES, pieceOfBlocks, pieceOfQuestion, type Run, runOf } from './pieces.ts'
import { INSTRUCTION, type Segment, segmentsOf } from './segments.ts'
import type { Memory, StepOf } from './steps.ts'
import { Tally } from './tally.ts'

/** Rows to be read in one step, and what they are. */
type Portion = { readonly step: StepOf<'piece' | 'apart'>; readonly segments: readonly Segment[] }

/**
 * Reads a question that is no single piece, portion by portion: however long it is, few of its rows are held at a
 * time. An option that fits beside the instruction is read with it. For longer ones the instruction is read first
 * and kept, block by block, and then so are they.
 */
export const readLong = async (job: Job, question: TokenisedQuestion): Promise<Float32Array> => {
  const { pool, shape, signal } = job
  const state = await job.state
  const { focus, instruction, options } = question
  const tally = new Tally(question, shape)
  const readAndCompare = async ({ step, segments }: Portion) => {
    const rows = await pool.run(step)
    return pool.run({ kind: 'compare', rows, segments, state, focus })
  }
  const read = async (portions: Iterable<Portion>): Promise<void> => {
    const steps = inOrder(portions, readAndCompare, pool.workers + 1, signal)
    for await (const [{ segments }, compared] of steps) {
      for (const [n, segment] of segments.entries()) tally.add(segment, n, compared)
    }
  }

  const all = [...options.entries()]
  const fits = ([, ids]: Text) => instruction.length + ids.length <= MAX_ROWS
  await read(besideInstruction(question, all.filter(fits)))
  const apart = all.filter(option => !fits(option))
  if (apart.length > 0) {
    await withMemory(job, instruction.length, async memory => {
      await read(kept([[INSTRUCTION, instruction]], memory))
      await read(told(apart, memory))
    })
  }
  const [logits = new Float32Array()] = await readOut(job, [tally])
  return logits
}

/** An option, the instruction, or a block of either. */
type Text = readonly [option: number, ids: Int32Array]

const lengthOf = ([, ids]: Text): number => ids.length

/** As many options at a time as fit beside the instruction, which is read again with each lot. */
function* besideInstruction(question: TokenisedQuestion, options: readonly Text[]): Generator<Portion> {
  const { instruction } = question
  for (const lot of lotsOf(options, MAX_ROWS - instruction.length, lengthOf)) {
    const texts = lot.map(([, ids]) => ids)
    const indices = lot.map(([index]) => index)
    yield {
      step: { kind: 'piece', piece: pieceOfQuestion(instruction, texts) },
      segments: segmentsOf(question, 0, indices),
    }
  }
}

/** Blocks that are told an instruction. */
function* told(texts: Iterable<Text>, instruction: Memory): Generator<Portion> {
  for (const { run, segments } of runsOfBlocks(texts)) {
    yield { step: { kind: 'apart', run, instruction }, segments }
  }
}

/** Blocks whose keys and values are kept, one run behind the other. */
function* kept(texts: Iterable<Text>, into: Memory): Generator<Portion> {
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
