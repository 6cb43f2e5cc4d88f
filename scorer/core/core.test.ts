import { expect, it, onTestFinished, vi } from 'vitest'
import type { Backend } from '../backend/backend.ts'
import { createCore } from './core.ts'
import { createMetrics } from './metrics/scorer-metrics.ts'
import type { PreparedUnit } from './reading/prepared.ts'

const LIFETIME_MS = 300_000
const patient = { tenant: 't', deadline: Number.POSITIVE_INFINITY, gone: () => false, onGone: () => {} }

/** A scorer whose request bodies are the cache keys of their states. One state takes forever to encode. */
const setup = () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const now = () => Date.now()
  const backend: Backend = {
    engine: 'none',
    stateBytes: tokens => tokens,
    encodeState: ids => {
      const rows = new Uint16Array(new SharedArrayBuffer(0))
      const mean = new Float32Array(new SharedArrayBuffer(0))
      return ids.length === ENDLESS.length
        ? new Promise(() => {})
        : Promise.resolve({ tokens: 1, rows, mean })
    },
    readQuestions: async state => (await state) && [],
    close: async () => {},
  }
  const unit = (key: string): PreparedUnit => ({
    kind: 'ready',
    tenant: 't',
    snapshot: 's',
    cacheKey: key,
    stateIds: new Int32Array(key.length),
    stateTokens: key.length,
    stateFramingTokens: 0,
    questions: [],
  })
  const metrics = createMetrics()
  const core = createCore({
    intake: {
      read: async body => ({ kind: 'prepared', units: [unit(new TextDecoder().decode(body))] }),
      close: async () => {},
    },
    backends: new Map([['s', backend]]),
    limits: {
      memoryBytes: 1 << 20,
      cacheBytes: 1 << 20,
      questionBytes: 0,
      questionLifetimeMs: 0,
      cacheLifetimeMs: LIFETIME_MS,
      batchTokens: 256,
      queueTokens: 256,
    },
    metrics,
    now,
    onFault: () => {},
  })
  return {
    ...core,
    score: (key: string) => core.score(new TextEncoder().encode(key), patient),
    cachedStates: () => Number(/^scorer_cache_states (\d+)$/m.exec(metrics.text())?.[1]),
  }
}
const ENDLESS = 'endless'

it('a cached state leaves memory at the end of its lifetime, even while the service stops', async () => {
  const { score, drain, cachedStates } = setup()
  await score('state')
  void score(ENDLESS)
  void drain()
  expect(cachedStates()).toBe(1)
  await vi.advanceTimersByTimeAsync(LIFETIME_MS + 1_000)
  expect(cachedStates()).toBe(0)
})
