import { describe, expect, it } from 'vitest'
import type { Backend, EncodedState, TokenisedQuestion } from '../backend/backend.ts'
import { QuestionCache } from './cache/question-cache.ts'
import { StateStore } from './cache/state-store.ts'
import { createMemoryPool } from './memory/memory-pool.ts'
import { createMetrics } from './metrics/scorer-metrics.ts'
import type { ReadyUnit } from './reading/prepared.ts'
import { unitTask } from './unit-task.ts'

const STATE_TOKENS = 6_144
const STATE_BYTES = STATE_TOKENS * 64
const QUESTION_TOKENS = 12
/** The cost of encoding a question and comparing it with a state of that length. */
const QUESTION_COST = 2 * QUESTION_TOKENS

type Given = { focus?: TokenisedQuestion['focus']; encodedRows?: number; results?: Float32Array[] }

/** A unit of one question, and an engine that encodes its state when told to. */
const setup = ({
  focus = [],
  encodedRows = QUESTION_TOKENS,
  results = [new Float32Array([1, 2])],
}: Given = {}) => {
  const now = () => 0
  const { promise: read, resolve } = Promise.withResolvers<void>()
  const lent: number[] = []
  const backend: Backend = {
    engine: 'none',
    stateBytes: tokens => tokens * 64,
    encodedRows: () => encodedRows,
    encodeState: async (ids, _, memory) => {
      lent.push(memory.byteLength)
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
  const memory = createMemoryPool(STATE_BYTES, setImmediate)
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
    stateTokens: STATE_TOKENS - 4,
    stateFramingTokens: 4,
    questions: [{ asked, reversed: null }],
  }
  const parts = {
    store,
    asking: questionCache.open(),
    metrics: createMetrics(),
    now,
  }
  let left = false
  const caller = { deadline: 500, gone: () => left }
  return {
    task: (over: Partial<ReadyUnit> = {}) => unitTask({ ...unit, ...over }, backend, caller, parts),
    read: resolve,
    store,
    memory,
    lent,
    leave: () => {
      left = true
    },
  }
}

describe('a unit in the queue', () => {
  it('does not encode a state that another unit is encoding, but cannot end before it is encoded', async () => {
    const { task, read } = setup()
    const [first, second] = [task(), task()]
    expect(second).toMatchObject({ questionTokens: QUESTION_COST, state: { key: 'k', tokens: STATE_TOKENS } })
    expect(second.standing()).toBe('absent')
    const reading = first.begin()
    expect(second.standing()).toBe('pending')
    read()
    await reading
    expect(second.standing()).toBe('encoded')
  })

  it('has the tenant and the deadline of its request, and is gone as soon as the caller is', () => {
    const { task, leave } = setup()
    const { tenant, deadline, gone } = task()
    expect([tenant, deadline, gone()]).toEqual(['t', 500, false])
    leave()
    expect(gone()).toBe(true)
  })

  it('takes memory for its markers too, and does not begin while there is none', async () => {
    const { task, read, lent } = setup()
    const first = task().begin()
    expect(lent).toEqual([STATE_BYTES])
    const second = task({ cacheKey: 'other' })
    expect(second.begin()).toBeNull()
    read()
    await first
    await second.begin()
    expect(await second.answer).toMatchObject({ kind: 'scored', stateTokens: STATE_TOKENS - 4 })
  })

  it('costs more the more of the state its questions are compared with', () => {
    const part = STATE_TOKENS / 4
    const focus = [
      [0, part],
      [2 * part, 3 * part],
    ] as const
    expect(setup({ focus }).task().questionTokens).toBe(1.5 * QUESTION_TOKENS)
  })

  it('costs the rows that are encoded for its questions, however few tokens these have', () => {
    const encodedRows = 100 * QUESTION_TOKENS
    expect(setup({ encodedRows }).task().questionTokens).toBe(encodedRows + QUESTION_TOKENS)
  })

  it.each([
    ['nothing', []],
    ['no logit', [new Float32Array()]],
  ])('fails if the engine says %s about its question', async (_, results) => {
    const { task, read } = setup({ results })
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
