import { expect, it } from 'vitest'
import { forgetful, ownScratch } from '../testing/engine.ts'
import type { TokenisedQuestion } from './backend.ts'
import type { Pool } from './pool.ts'
import { readQuestions } from './questions.ts'
import type { Step } from './steps.ts'

const shape = { layers: 1, heads: 1, headWidth: 2, width: 2, firstSide: 6 }
const state = {
  tokens: 65_536,
  rows: new Uint16Array(new SharedArrayBuffer(4)),
  mean: new Float32Array(new SharedArrayBuffer(8)),
}
const WORKERS = 2
const soon = () => new Promise(resolve => setImmediate(resolve))

/** Questions that each form a group of their own. */
const questions = Array.from(
  { length: 20 },
  (_, n): TokenisedQuestion => ({
    key: `${n}`,
    instruction: new Int32Array(100),
    options: [new Int32Array(10), new Int32Array(10)],
    optionInstructionIncluded: [],
    focus: [],
    scale: 1,
  }),
)

/** Answers every step at once except comparisons, which it answers when told to. */
const setup = () => {
  const rows = (count: number) => new Float32Array(count * shape.width)
  const comparing: (() => void)[] = []
  let compared = 0
  let pieces = 0
  const run = async (step: Step): Promise<unknown> => {
    if (step.kind === 'piece') {
      pieces += 1
      return rows(step.piece.rows)
    }
    if (step.kind !== 'answer') throw new Error(step.kind)
    await new Promise<void>(resolve => comparing.push(resolve))
    compared += 1
    return step.questions.map(({ sides }) => new Float32Array(sides.length))
  }
  let left = false
  const waiter = { gone: () => left }
  const pool = { workers: WORKERS, run } as unknown as Pool
  const job = { pool, shape, state: Promise.resolve(state), waiter, scratch: ownScratch, known: forgetful }
  return {
    read: (state = job.state) => readQuestions({ ...job, state }, questions),
    comparing,
    compared: () => compared,
    pieces: () => pieces,
    leave: () => {
      left = true
    },
  }
}

it('only a few questions are compared at a time, though more are encoded', async () => {
  const { read, comparing, compared, pieces } = setup()
  const reading = read()
  await soon()
  expect(pieces()).toBeGreaterThan(WORKERS + 1)
  while (compared() < questions.length) {
    expect(comparing.length).toBeLessThanOrEqual(WORKERS + 1)
    comparing.shift()?.()
    await soon()
  }
  expect(await reading).toHaveLength(questions.length)
})

it('nothing more is compared once the caller has left', async () => {
  const { read, comparing, compared, leave } = setup()
  const reading = read()
  reading.catch(() => {})
  await soon()
  leave()
  for (const end of comparing) end()
  await expect(reading).rejects.toMatchObject({ why: 'cancelled' })
  expect(compared()).toBe(WORKERS + 1)
})

it('a state that fails once its caller has left is a fault of nobody', async () => {
  const { read, leave } = setup()
  const encoding = Promise.withResolvers<typeof state>()
  leave()
  await expect(read(encoding.promise)).rejects.toMatchObject({ why: 'cancelled' })
  // The test run fails if nobody handles this.
  encoding.reject(new Error('broken'))
  await soon()
})
