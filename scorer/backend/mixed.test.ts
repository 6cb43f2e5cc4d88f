// Whatever shares a run, every question must have the same logits as when it is asked alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetful, openEngine, patient, type TestEngine } from '../testing/engine.ts'
import type { TokenisedQuestion } from './backend.ts'

/** Park and Miller's generator, so that the cases are the same in every run. */
let drawn = 20_261_013
const random = () => {
  drawn = (drawn * 48_271) % 0x7fff_ffff
  return drawn / 0x7fff_ffff
}
const below = (limit: number) => Math.floor(random() * limit)
const words = (count: number) => Array.from({ length: count }, () => 1000 + below(20_000))

const STATE_TOKENS = [1, 4, 12, 30, 60, 124, 125, 250, 300, 700]
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T

const question = (stateTokens: number): TokenisedQuestion => {
  const opens = pick([[6], [7], [9, 10]])
  const start = below(stateTokens)
  return {
    key: '',
    instruction: Int32Array.from([1, ...words(below(30)), 4, 5]),
    options: Array.from({ length: opens.length === 2 ? 2 : 1 + below(9) }, (_, o) =>
      Int32Array.from([opens[o % opens.length] ?? 6, ...words(below(14)), 8]),
    ),
    optionInstructionIncluded: [opens.length === 2],
    focus: random() < 0.2 ? [[start, start + 1 + below(stateTokens - start)]] : [],
    scale: 1,
  }
}

const units = Array.from({ length: 40 }, () => {
  const tokens = pick(STATE_TOKENS)
  const state = Int32Array.from([101, 12, ...words(tokens), 102, 14])
  return { state, questions: Array.from({ length: 1 + below(4) }, () => question(state.length)) }
})

// As on two cores, and as on eight.
describe.each([{ threads: 1 }, { threads: 4 }])('with threads a worker: $threads', ({ threads }) => {
  let backend: TestEngine
  beforeAll(async () => {
    backend = await openEngine({ workers: 2, threads })
  })
  afterAll(() => backend.close())

  const read = (state: Int32Array, questions: readonly TokenisedQuestion[]) =>
    backend.readQuestions(backend.encodeState(state, patient), questions, patient, forgetful)

  it('a question has the same logits, bit for bit, in a run with any other states and questions', async () => {
    const together = await Promise.all(units.map(({ state, questions }) => read(state, questions)))
    for (const [u, { state, questions }] of units.entries()) {
      for (const [q, asked] of questions.entries()) {
        expect(await read(state, [asked])).toEqual([together[u]?.[q]])
      }
    }
  }, 120_000)
})
