import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cpuMs } from '../../test/cpu-time.ts'
import { forgetful, ownScratch, patient } from '../testing/engine.ts'
import type { MemoryPool, TokenisedQuestion } from './backend.ts'
import { encodedRowsOf, readLong } from './long-questions.ts'
import { MAX_ROWS } from './pieces.ts'
import type { Pool } from './pool.ts'
import { INSTRUCTION, type Segment } from './segments.ts'
import type { Step } from './steps.ts'

const shape = { layers: 1, heads: 1, headWidth: 2, width: 2, firstSide: 6 }
const state = {
  tokens: 1,
  rows: new Uint16Array(new SharedArrayBuffer(4)),
  mean: new Float32Array(new SharedArrayBuffer(8)),
}
const tokens = (length: number) => new Int32Array(length).fill(7)
/** A question whose instruction and options have so many tokens. */
const questionOf = (instruction: number, options: readonly number[]): TokenisedQuestion => ({
  key: '',
  instruction: tokens(instruction),
  options: options.map(tokens),
  optionInstructionIncluded: [],
  focus: [],
  scale: 1,
})

/** Counts how much memory has been taken and not yet given back. */
const countingScratch = () => {
  let held = 0
  const scratch: MemoryPool = {
    take: bytes => {
      held += 1
      return ownScratch.take(bytes)
    },
    give: memory => {
      held -= 1
      ownScratch.give(memory)
    },
  }
  return { scratch, held: () => held }
}

/** Records its steps and answers with zeros, except that a segment's first row says where in its option it comes. */
const notingPool = () => {
  const steps: Step[] = []
  const came = new Map<number, number>()
  const answer = (step: Step): unknown => {
    const rows = (count: number) => new Float32Array(count * shape.width)
    if (step.kind === 'piece') return rows(step.piece.rows)
    if (step.kind === 'apart') return rows(step.run.ids.length)
    if (step.kind === 'readout') return step.questions.map(({ count }) => new Float32Array(count))
    if (step.kind !== 'compare') throw new Error(step.kind)
    const of = () => new Float64Array(step.segments.length * shape.width)
    const firsts = step.segments.flatMap(({ option }) => {
      const nth = (came.get(option) ?? 0) + 1
      came.set(option, nth)
      return Array(shape.width).fill(nth)
    })
    return { sums: of(), found: of(), most: rows(step.segments.length), firsts: Float32Array.from(firsts) }
  }
  let kept = 0
  /** How many rows of the instruction were kept whenever rows that read them began. */
  const keptBefore: number[] = []
  const run = async (step: Step) => {
    steps.push(step)
    if (step.kind === 'apart' && step.instruction) keptBefore.push(kept)
    await Promise.resolve()
    if (step.kind === 'apart' && step.keep) kept += step.run.ids.length
    return answer(step)
  }
  return { steps, keptBefore, pool: { workers: 2, run } as unknown as Pool }
}

const length = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 900 }))

it('every option is encoded once and in full, after the instruction if it reads that, which is encoded apart only if it must be, no step is too long, and the rows encoded are known beforehand', async () => {
  const asked = fc.record({
    instruction: length,
    options: fc.array(length, { minLength: 1, maxLength: 40, size: 'max' }),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ instruction, options }) => {
      const question = questionOf(instruction, options)
      const { pool, steps, keptBefore } = notingPool()
      const { scratch, held } = countingScratch()
      const job = { pool, shape, state: Promise.resolve(state), waiter: patient, scratch, known: forgetful }
      const logits = await readLong(job, question)
      expect(logits).toHaveLength(options.length)
      expect(held()).toBe(0)
      expect(keptBefore).toEqual(keptBefore.map(() => instruction))
      const segments = steps.flatMap((step): readonly Segment[] =>
        step.kind === 'compare' ? step.segments : [],
      )
      const read = (wanted: number) => segments.filter(({ option }) => option === wanted)
      for (const [option, rows] of options.entries()) {
        expect(read(option).reduce((sum, segment) => sum + segment.length, 0)).toBe(rows)
      }
      const apart = steps.some(({ kind }) => kind === 'apart')
      const beside = steps.some(({ kind }) => kind === 'piece')
      const times = Number(apart) + Number(beside)
      expect(read(INSTRUCTION).reduce((sum, segment) => sum + segment.length, 0)).toBe(times * instruction)
      expect(apart).toBe(options.some(rows => instruction + rows > MAX_ROWS))
      let encoded = 0
      for (const step of steps) {
        if (step.kind === 'piece') encoded += step.piece.rows
        if (step.kind === 'apart') encoded += step.run.ids.length
        if (step.kind === 'piece') expect(step.piece.rows).toBeLessThanOrEqual(MAX_ROWS)
        if (step.kind === 'apart') expect(step.run.ids.length).toBeLessThanOrEqual(MAX_ROWS)
        if (step.kind !== 'compare') continue
        const rows = step.segments.reduce((sum, segment) => sum + segment.length, 0)
        expect(rows * shape.width).toBe(step.rows.length)
      }
      expect(encodedRowsOf(question)).toBe(encoded)
      const [readout] = steps.flatMap(step => (step.kind === 'readout' ? step.questions : []))
      const openings = readout?.openings.subarray(0, options.length * shape.width)
      expect(openings?.every(nth => nth === 1)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

it('memory is taken only once the state is there, and given back when a step fails', async () => {
  const { scratch, held } = countingScratch()
  const run = () => {
    expect(held()).toBe(1)
    return Promise.reject(new Error('broken'))
  }
  const pool = { workers: 2, run } as unknown as Pool
  const there = Promise.withResolvers<typeof state>()
  const job = { pool, shape, state: there.promise, waiter: patient, scratch, known: forgetful }
  const reading = readLong(job, questionOf(300, [300]))
  expect(held()).toBe(0)
  there.resolve(state)
  await expect(reading).rejects.toThrow('broken')
  expect(held()).toBe(0)
})

it('the rows of a short question are counted without dividing it, because one request may ask tens of thousands', () => {
  const timed = (question: TokenisedQuestion) =>
    cpuMs(() => {
      for (let nth = 0; nth < 100_000; nth++) encodedRowsOf(question)
    })
  const divided = timed(questionOf(8, [4, MAX_ROWS]))
  expect(timed(questionOf(8, [4, 4]))).toBeLessThan(divided / 2)
})
