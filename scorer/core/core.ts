// The core: from the bytes of a request to its answer. It knows nothing about HTTP, and only the engine's interface.
import { type Backend, type EncodedState, Interrupted } from '../backend/backend.ts'
import type { Refusal, ScoreReply, UnitAnswer } from '../protocol.ts'
import { type Asking, QuestionCache } from './cache/question-cache.ts'
import { StateStore } from './cache/state-store.ts'
import { createMemoryPool } from './memory/memory-pool.ts'
import { type ScorerMetrics, watchCore } from './metrics/scorer-metrics.ts'
import { WorkQueue } from './queue/work-queue.ts'
import type { Caller } from './reading/caller.ts'
import type { PreparedRequest, PreparedUnit } from './reading/prepared.ts'
import type { BodyReader } from './reading/reading-thread.ts'
import { type UnitTask, unitTask } from './unit-task.ts'

export type Core = {
  /** Scores the request in a body. The caller must not use the body afterwards. */
  score(body: Uint8Array<ArrayBuffer>, caller: Caller): Promise<ScoreReply | Refusal>
  /** Forgets all cached states and questions, or one tenant's. Returns how many states there were. */
  clearCache(tenant: string | null): number
  draining(): boolean
  /** Refuses new requests and resolves when those in progress are answered. */
  drain(): Promise<void>
}

type Limits = {
  /** Encoded states in total: cached, in use and being encoded. */
  memoryBytes: number
  cacheBytes: number
  /** Encoded questions that are kept. */
  questionBytes: number
  /** 0 keeps questions until the requests that ask them are answered. */
  questionLifetimeMs: number
  cacheLifetimeMs: number
  /** Padded tokens under way together. */
  batchTokens: number
  /** Padded tokens that a request and what waits ahead of it in a lane may have together. */
  queueTokens: number
}

type CoreParts = {
  intake: BodyReader
  /** By snapshot id. */
  backends: ReadonlyMap<string, Backend>
  limits: Limits
  metrics: ScorerMetrics
  now: () => number
  /** Called with faults that should not have happened. */
  onFault: (fault: unknown) => void
}

const SWEEP_MS = 1_000

export const createCore = ({ intake, backends, limits, metrics, now, onFault }: CoreParts): Core => {
  const memory = createMemoryPool(limits.memoryBytes, setImmediate)
  const store = new StateStore<EncodedState>({
    memory,
    cacheBytes: limits.cacheBytes,
    lifetimeMs: limits.cacheLifetimeMs,
    now,
    onEvent: event => metrics.states.add(event),
  })
  const questionCache = new QuestionCache({
    budgetBytes: limits.questionBytes,
    lifetimeMs: limits.questionLifetimeMs,
    now,
    onEvent: event => metrics.questions.add(event),
  })
  const queue = new WorkQueue({
    batchTokens: limits.batchTokens,
    capacityTokens: limits.queueTokens,
    now,
    onBegin: batchTokens => metrics.batch.observe(batchTokens),
    onWaited: waitedMs => metrics.queueWait.observe(waitedMs / 1_000),
  })
  watchCore(metrics, {
    store: () => ({ ...store.usage, usedBytes: memory.usedBytes, questionBytes: questionCache.bytes }),
    queue: () => queue.depth,
  })
  // Expired entries must leave memory even if no request arrives.
  setInterval(() => {
    store.sweep()
    questionCache.sweep()
  }, SWEEP_MS).unref()

  const begin = (unit: PreparedUnit, caller: Caller, asking: Asking): UnitTask | UnitAnswer => {
    if (unit.kind !== 'ready') return unit
    const backend = backends.get(unit.snapshot)
    if (backend === undefined) return { kind: 'unknown_snapshot' }
    return unitTask(unit, backend, caller, { asking, store, metrics, now })
  }

  const scorePrepared = async (prepared: PreparedRequest, caller: Caller): Promise<ScoreReply | Refusal> => {
    if ('error' in prepared) return prepared
    // One failed unit fails the whole request, so further work on the others would be wasted.
    let failed = false
    const waiter = { ...caller, gone: () => failed || caller.gone() }
    const asking = questionCache.open()
    try {
      const begun = prepared.units.map(unit => begin(unit, waiter, asking))
      const tasks = begun.filter(one => 'answer' in one)
      if (!queue.offer(tasks)) return { error: 'full', message: 'the queue is full' }
      const start = now()
      const units = await Promise.all(begun.map(one => ('answer' in one ? one.answer : one)))
      for (const { kind } of units) metrics.units.add(kind)
      return { units, runMs: now() - start }
    } catch (fault) {
      failed = true
      throw fault
    } finally {
      asking.close()
    }
  }

  let draining = false
  let underWay = 0
  let onIdle = () => {}
  return {
    draining: () => draining,
    clearCache: tenant => {
      questionCache.clear(tenant)
      return store.clear(tenant)
    },
    async score(body, caller) {
      if (draining) return DRAINING
      underWay += 1
      const start = now()
      try {
        const prepared = await intake.read(body, caller)
        metrics.prepare.observe((now() - start) / 1_000)
        return await scorePrepared(prepared, caller)
      } catch (fault) {
        if (!(fault instanceof Interrupted)) onFault(fault)
        return explain(fault)
      } finally {
        metrics.request.observe((now() - start) / 1_000)
        underWay -= 1
        if (underWay === 0) onIdle()
      }
    },
    async drain() {
      draining = true
      const idle = new Promise<void>(resolve => {
        onIdle = resolve
      })
      if (underWay > 0) await idle
    },
  }
}

const explain = (fault: unknown): Refusal => {
  if (!(fault instanceof Interrupted)) return { error: 'fault', message: 'the request could not be scored' }
  switch (fault.why) {
    case 'closed':
      return DRAINING
    case 'deadline':
    // Nobody hears of this: the caller has left.
    case 'cancelled':
      return DEADLINE_PASSED
  }
}

export const DRAINING: Refusal = { error: 'draining', message: 'this scorer is stopping' }
export const DEADLINE_PASSED: Refusal = {
  error: 'deadline',
  message: 'the deadline passed before the request was scored',
}
