import { expect, it, onTestFinished, vi } from 'vitest'
import { type Backend, Interrupted, type Waiter } from '../backend/backend.ts'
import { metricIn } from '../testing/metric.ts'
import { createCore } from './core.ts'
import { createMetrics } from './metrics/scorer-metrics.ts'
import type { PreparedUnit, ReadyUnit } from './reading/prepared.ts'

const LIFETIME_MS = 300_000
const QUESTION_LIFETIME_MS = 60_000
const SWEEP_MS = 1_000
const READ_MS = 500
const patient = { tenant: 't', deadline: Number.POSITIVE_INFINITY, gone: () => false, onGone: () => {} }
const after = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const encoded = {
  tokens: 1,
  rows: new Uint16Array(new SharedArrayBuffer(0)),
  mean: new Float32Array(new SharedArrayBuffer(0)),
}

type Given = { questions?: ReadyUnit['questions']; questionLifetimeMs?: number }

const question = (key: string): ReadyUnit['questions'][number] => ({
  asked: {
    question: {
      key,
      instruction: new Int32Array(1),
      options: [new Int32Array(1)],
      optionInstructionIncluded: [false],
      focus: [],
      scale: 1,
    },
    questionTokens: 1,
    framingTokens: 1,
  },
  reversed: null,
})

/** A scorer whose request bodies are the cache keys of their states, as many tokens long. */
const setup = (
  over: Partial<Backend> = {},
  { questions = [], questionLifetimeMs = QUESTION_LIFETIME_MS }: Given = {},
) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const now = () => Date.now()
  const backend: Backend = {
    engine: 'none',
    stateBytes: tokens => tokens,
    encodedRows: () => 1,
    encodeState: async () => encoded,
    readQuestions: async state => (await state) && [],
    close: async () => {},
    ...over,
  }
  const unit = (key: string): PreparedUnit => ({
    kind: 'ready',
    tenant: 't',
    snapshot: 's',
    cacheKey: key,
    stateIds: new Int32Array(key.length),
    stateTokens: key.length,
    stateFramingTokens: 0,
    questions,
  })
  const metrics = createMetrics()
  const faults: unknown[] = []
  const core = createCore({
    intake: {
      read: async body => {
        await after(READ_MS)
        return { units: new TextDecoder().decode(body).split(' ').map(unit) }
      },
      close: async () => {},
    },
    backends: new Map([['s', backend]]),
    limits: {
      memoryBytes: 1 << 20,
      cacheBytes: 1 << 20,
      questionBytes: 1 << 20,
      questionLifetimeMs,
      cacheLifetimeMs: LIFETIME_MS,
      batchTokens: 256,
      queueTokens: 8_192,
    },
    metrics,
    now,
    onFault: fault => faults.push(fault),
  })
  return {
    ...core,
    faults,
    /** The answer, once the time that it takes has passed. */
    score: async (keys: string, ms = READ_MS) => {
      const answer = core.score(new TextEncoder().encode(keys), patient)
      await vi.advanceTimersByTimeAsync(ms)
      return answer
    },
    begin: (keys: string, waitMs = Number.POSITIVE_INFINITY) =>
      core.score(new TextEncoder().encode(keys), { ...patient, deadline: now() + waitMs }),
    metric: (series: string) => metricIn(metrics.text(), series),
  }
}

it('a cached state leaves memory at the end of its lifetime, even while the service stops', async () => {
  const { score, begin, drain, metric } = setup({
    encodeState: ids => (ids.length === 7 ? new Promise(() => {}) : Promise.resolve(encoded)),
  })
  await score('state')
  void begin('endless')
  void drain()
  expect(metric('cache_states')).toBe(1)
  await vi.advanceTimersByTimeAsync(LIFETIME_MS + SWEEP_MS)
  expect(metric('cache_states')).toBe(0)
})

const readsRows: Backend['readQuestions'] = async (state, questions, _, known) => {
  for (const { key } of questions) {
    if (known.get(key, 0) === undefined) known.keep(key, 0, 8, Promise.resolve(new Float32Array(2)))
  }
  await state
  return questions.map(() => new Float32Array(1))
}

it('a kept question is known to later requests, and leaves memory at the end of its lifetime', async () => {
  const { score, metric } = setup({ readQuestions: readsRows }, { questions: [question('q')] })
  await score('one')
  await score('other')
  const events = ['miss', 'hit'].map(event => metric(`question_cache_events_total{event="${event}"}`))
  expect([...events, metric('question_bytes')]).toEqual([1, 1, 8])
  await vi.advanceTimersByTimeAsync(QUESTION_LIFETIME_MS + SWEEP_MS)
  expect(metric('question_bytes')).toBe(0)
})

it('a question is encoded once for requests that wait for each other, and kept until the last is answered', async () => {
  const { begin, metric } = setup(
    {
      readQuestions: readsRows,
      encodeState: async () => {
        await after(1_000)
        return encoded
      },
    },
    { questions: [question('q')], questionLifetimeMs: 0 },
  )
  // So long that they run one after the other.
  const asking = ['a', 'b', 'c'].map(key => begin(key.repeat(2_000)))
  await vi.advanceTimersByTimeAsync(READ_MS + 2_500)
  const events = ['miss', 'hit'].map(event => metric(`question_cache_events_total{event="${event}"}`))
  expect([...events, metric('question_bytes')]).toEqual([1, 2, 8])
  await vi.advanceTimersByTimeAsync(1_000)
  const scored = { units: [{ kind: 'scored' }] }
  expect(await Promise.all(asking)).toMatchObject([scored, scored, scored])
  expect(metric('question_bytes')).toBe(0)
})

it('tells how long each request was read, waited, ran and took', async () => {
  const { begin, metric } = setup({
    encodeState: async () => {
      await after(2_000)
      return encoded
    },
    readQuestions: async state => {
      await state
      await after(1_000)
      return []
    },
  })
  // So long that they run one after the other.
  const both = ['a', 'b'].map(key => begin(key.repeat(2_000)))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await Promise.all(both)).toMatchObject([{ runMs: 3_000 }, { runMs: 6_000 }])
  const sums = {
    tokenise_seconds_sum: 2 * (READ_MS / 1_000),
    queue_wait_seconds_sum: 3,
    'run_seconds_sum{stage="state"}': 2 + 2,
    'run_seconds_sum{stage="questions"}': 3 + 3,
    request_seconds_sum: 3.5 + 6.5,
    'units_total{kind="scored"}': 2,
  }
  expect(Object.fromEntries(Object.keys(sums).map(name => [name, metric(name)]))).toEqual(sums)
  expect(metric('state_bytes')).toBeGreaterThanOrEqual(4_000)
})

it('a fault of the engine fails the request, is reported, and ends the work on its other units', async () => {
  const fault = new Error('broken')
  let other: Waiter | undefined
  const { score, faults } = setup({
    encodeState: async (ids, waiter) => {
      if (ids.length === 'broken'.length) throw fault
      other = waiter
      return new Promise(() => {})
    },
  })
  const refusal = { error: 'fault', message: 'the request could not be scored' }
  expect(await score('broken other')).toEqual(refusal)
  expect(faults).toEqual([fault])
  expect(other?.gone()).toBe(true)
})

it('a request whose units share a state is taken wherever it ends in time, because that is encoded once', async () => {
  const { score, begin } = setup({
    encodeState: async ids => {
      await after(ids.length)
      return encoded
    },
  })
  const state = (name: string) => name.repeat(2_000)
  await score(state('a'), READ_MS + 2_000)
  void begin(state('b'))
  const request = [state('c'), state('c'), state('c')].join(' ')
  const sharing = begin(request, READ_MS + 5_000)
  const others = begin([state('d'), state('e'), state('f')].join(' '), READ_MS + 5_000)
  await vi.advanceTimersByTimeAsync(READ_MS + 5_000)
  expect(await sharing).toMatchObject({ units: [{}, {}, {}] })
  expect(await others).toMatchObject({ error: 'full' })
})

it.each([
  ['deadline', 'deadline'],
  ['closed', 'draining'],
] as const)(
  'work that ends early because of its %s is refused as %s, which is no fault',
  async (why, error) => {
    const { score, faults } = setup({ encodeState: () => Promise.reject(new Interrupted(why)) })
    expect(await score('state')).toMatchObject({ error })
    expect(faults).toEqual([])
  },
)

it('a drain lasts until every request is answered, and a body that arrives after it began is refused', async () => {
  const encoding: (() => void)[] = []
  const { begin, drain, score } = setup({
    encodeState: () => new Promise(resolve => encoding.push(() => resolve(encoded))),
  })
  void begin('a')
  void begin('b')
  await vi.advanceTimersByTimeAsync(READ_MS)
  let drained = false
  void drain().then(() => {
    drained = true
  })
  expect(await score('c')).toMatchObject({ error: 'draining' })
  for (const end of encoding) {
    expect(drained).toBe(false)
    end()
    await vi.advanceTimersByTimeAsync(0)
  }
  expect([encoding.length, drained]).toEqual([2, true])
})
