import type { EncodedState, Signal, TokenisedQuestion } from './backend.ts'
import { inOrder } from './in-order.ts'
import { INSTRUCTION, type Pack, packsBeside, packsOfBlocks, readsBeside, type Selection } from './packing.ts'
import type { Pool } from './pool.ts'
import { Scratch } from './scratch.ts'
import type { Memory, Shape, Step } from './steps.ts'
import { Tally } from './tally.ts'

type QuestionStep = Extract<Step, { kind: 'question' }>

/** Reads questions against a state. How one is read depends on nothing but itself. */
export const readQuestions = async (
  pool: Pool,
  shape: Shape,
  state: EncodedState,
  questions: readonly TokenisedQuestion[],
  signal: Signal,
): Promise<Float32Array[]> => {
  const logits: Float32Array[] = questions.map(() => new Float32Array())
  const tallies = new Map<number, Tally>()
  const tallyOf = (index: number, question: TokenisedQuestion): Tally => {
    const tally = tallies.get(index) ?? new Tally(question, shape)
    tallies.set(index, tally)
    return tally
  }

  /** Runs steps and reads out each question when all its rows are there. */
  const run = async (steps: Iterable<QuestionStep>): Promise<void> => {
    for await (const [{ pack }, outcome] of inOrder(
      steps,
      step => pool.run(step),
      pool.workers + 1,
      signal,
    )) {
      let opening = 0
      for (const [number, segment] of pack.segments.entries()) {
        const question = questions[segment.question]
        if (question) tallyOf(segment.question, question).add(pack, number, opening, outcome)
        if (segment.opens) opening++
      }
      await readOut()
    }
  }

  const readOut = async (): Promise<void> => {
    const done = [...tallies].filter(([, tally]) => tally.complete)
    if (done.length === 0) return
    const units = []
    for (const [index, tally] of done) {
      tallies.delete(index)
      const ranges = questions[index]?.focus ?? []
      units.push(
        tally.readout(ranges.length > 0 ? await pool.run({ kind: 'mean', state, ranges }) : state.mean),
      )
    }
    const read = await pool.run({ kind: 'readout', units })
    for (const [n, [index]] of done.entries()) {
      // A readout has a row to spare where there is one option alone.
      logits[index] = (read[n] ?? new Float32Array()).slice(0, questions[index]?.options.length)
    }
  }

  const selections = questions.map((question, index): Selection & { apart: number[] } => {
    const beside = (o: number) => readsBeside(question.instruction, question.options[o] ?? NO_TOKENS)
    const all = [...question.options.keys()]
    return { index, question, options: all.filter(beside), apart: all.filter(o => !beside(o)) }
  })
  const focused = ({ question }: Selection) => question.focus.length > 0

  await run(steps(packsBeside(selections.filter(s => !focused(s))), { state, focus: [] }))
  for (const { index, question, options, apart } of selections) {
    const context = { state, focus: question.focus }
    if (question.focus.length > 0) await run(steps(packsBeside([{ index, question, options }]), context))
    if (apart.length === 0) continue
    const buffer = scratch.take(memoryBytes(question.instruction.length, shape))
    try {
      const instruction = memoryIn(buffer, question.instruction.length, shape)
      const blocks = packsOfBlocks(index, [[INSTRUCTION, question.instruction]])
      await run(kept(blocks, context, instruction))
      const segments = apart.map(o => [o, question.options[o] ?? NO_TOKENS] as const)
      await run(steps(packsOfBlocks(index, segments), { ...context, instruction }))
    } finally {
      scratch.give(buffer)
    }
  }
  return logits
}

const NO_TOKENS = new Int32Array()

type Context = Pick<QuestionStep, 'state' | 'focus' | 'instruction'>

function* steps(packs: Iterable<Pack>, context: Context): Generator<QuestionStep> {
  for (const pack of packs) yield { kind: 'question', pack, ...context }
}

/** As `steps`, keeping the rows' own keys and values one run after the other. */
function* kept(packs: Iterable<Pack>, context: Context, into: Memory): Generator<QuestionStep> {
  let at = 0
  for (const pack of packs) {
    yield { kind: 'question', pack, ...context, keep: { at, into } }
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
