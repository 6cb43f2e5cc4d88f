import { describe, expect, it } from 'vitest'
import type { Backend, EncodedState, TokenisedQuestion } from '../backend/backend.ts'
import { QuestionCache } from './cache/question-cache.ts'
import { StateStore } from './cache/state-store.ts'
import { createMemoryPool } from './memory/memory-pool.ts'
import { createMetrics } from './metrics/scorer-metrics.ts'
import type { ReadyUnit } from './reading/prepared.ts'
import { unitTask } from './unit-task.ts'

const STATE_TOKENS = 6_144
const QUESTION_TOKENS = 12
/** The cost of encoding a question and comparing it with a state of that length. */
const QUESTION_COST = 2 * QUESTION_TOKENS

type Given = { focus?: TokenisedQuestion['focus']; results?: Float32Array[] }

/** A unit of one question, and an engine that encodes its state when told to. */
const setup = ({ focus = [], results = [new Float32Array([1, 2])] }: Given = {}) => {
  const now = () => 0
  const { promise: read, resolve } = Promise.withResolvers<void>()
  const backend: Backend = {
    engine: 'none',
    stateBytes: tokens => tokens,
    encodeState: async ids => {
      await read
      const rows = new Uint16Array(new SharedArrayBuffer(0))
      const mean = new Float32Array(new SharedArrayBuffer(0))
      return { tokens: ids.length, rows, mean }
    },
    readQuestions: async state => {
      await state
      return results
    },
    close: async () => {},
  }
  const memory = createMemoryPool(1 << 20, setImmediate)
  const onEvent = () => {}
  const kept = { lifetimeMs: 1_000, now, onEvent }
  const store = new StateStore<EncodedState>({ ...kept, memory, cacheBytes: 1 << 20 })
  const questionCache = new QuestionCache({ ...kept, budgetBytes: 1 << 20 })
  const question = {
    key: 'q',
    instruction: new Int32Array(4),
    options: [new Int32Array(4), new Int32Array(4)],
    optionInstructionIncluded: [false, false],
    focus,
    scale: 1,
  }
  const asked = { question, questionTokens: QUESTION_TOKENS - 3, framingTokens: 3 }
  const unit: ReadyUnit = {
    kind: 'ready',
    tenant: 't',
    snapshot: 's',
    cacheKey: 'k',
    stateIds: new Int32Array(STATE_TOKENS),
    stateTokens: STATE_TOKENS,
    stateFramingTokens: 0,
    questions: [{ asked, reversed: null }],
  }
  const parts = { store, asking: questionCache.open(), metrics: createMetrics(), now }
  const caller = { deadline: 500, gone: () => false }
  return { task: () => unitTask(unit, backend, caller, parts), read: resolve, store, memory }
}

describe('a unit in the queue', () => {
  it('does not encode a state that another unit is encoding, but cannot end before it is encoded', async () => {
    const { task, read } = setup()
    const [first, second] = [task(), task()]
    const sizes = () => [second.cost(), second.extent()]
    expect(sizes()).toEqual([STATE_TOKENS + QUESTION_COST, STATE_TOKENS + QUESTION_COST])
    const reading = first.begin()
    expect(sizes()).toEqual([QUESTION_COST, STATE_TOKENS + QUESTION_COST])
    read()
    await reading
    expect(sizes()).toEqual([QUESTION_COST, QUESTION_COST])
    expect(second.deadline).toBe(500)
  })

  it('has a cost that depends on how much of the state its questions are compared with', () => {
    const part = STATE_TOKENS / 4
    const focus = [
      [0, part],
      [2 * part, 3 * part],
    ] as const
    expect(setup({ focus }).task().cost()).toBe(STATE_TOKENS + 1.5 * QUESTION_TOKENS)
  })

  it('fails if the engine says nothing about its question', async () => {
    const { task, read } = setup({ results: [] })
    read()
    const failing = task()
    await Promise.allSettled([failing.begin()])
    await expect(failing.answer).rejects.toThrow(RangeError)
  })

  it('releases its state when it is done, whether it came from the cache or not', async () => {
    const { task, read, store, memory } = setup()
    read()
    await task().begin()
    await task().begin()
    expect(memory.usedBytes).toBeGreaterThan(0)
    store.clear(null)
    expect(memory.usedBytes).toBe(0)
  })
})
