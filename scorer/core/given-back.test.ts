// Whatever callers and the engine do, what was lent for them is given back, and nobody gets another's answer.
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type Backend, type EncodedState, Interrupted } from '../backend/backend.ts'
import { metricIn } from '../testing/metric.ts'
import { createCore } from './core.ts'
import { Held } from './held.ts'
import { createMetrics } from './metrics/scorer-metrics.ts'
import type { PreparedUnit } from './reading/prepared.ts'

const LIFETIME_MS = 2_000
/** By number of the state. Of the longest, the memory holds only one at a time. */
const STATE_TOKENS = [20, 200, 700, 2_000, 3_900]
const MEMORY_BYTES = 40_000
const BYTES_PER_TOKEN = 10
const BLOCK_TOKENS = 100

type Unit = { tenant: string; state: number; questions: number[] }
type Step =
  | { ask: { units: Unit[]; waitMs: number; leavesAfterMs: number } }
  | { clear: string | null }
  | { pass: number }
  /** For how many blocks and questions the engine works before it fails at one. */
  | { failAfter: number }

const tenant = fc.constantFrom('a', 'b')
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        ask: fc.record({
          units: fc.array(
            fc.record({
              tenant,
              state: fc.nat(STATE_TOKENS.length - 1),
              questions: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
            }),
            { minLength: 1, maxLength: 3 },
          ),
          waitMs: fc.integer({ min: 20, max: 3_000 }),
          leavesAfterMs: fc.oneof(fc.nat(300), fc.constant(Number.POSITIVE_INFINITY)),
        }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ pass: fc.nat(150) }) },
    { weight: 1, arbitrary: fc.record({ clear: fc.option(tenant) }) },
    { weight: 1, arbitrary: fc.record({ failAfter: fc.nat(30) }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 60, size: 'max' },
)

const after = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** A scorer whose engine fills a state's memory with the state's number and answers a question with both numbers. */
const setup = (limits: { cacheBytes: number; questionBytes: number; questionLifetimeMs: number }) => {
  let failAfter = Number.POSITIVE_INFINITY
  const work = async (ms: number) => {
    await after(ms)
    if (failAfter-- === 0) throw new RangeError('broken')
  }
  const backend: Backend = {
    engine: 'none',
    stateBytes: tokens => tokens * BYTES_PER_TOKEN,
    encodedRows: ({ instruction }) => instruction.length,
    encodeState: async (ids, waiter, memory) => {
      for (let at = 0; at < ids.length; at += BLOCK_TOKENS) {
        if (waiter.gone()) throw new Interrupted('cancelled')
        await work(5)
        memory.fill(ids[0] ?? 0)
      }
      return { tokens: ids.length, rows: memory } as unknown as EncodedState
    },
    readQuestions: async (state, questions, waiter, known) => {
      state.catch(() => {})
      const logits: Float32Array[] = []
      for (const { key, instruction } of questions) {
        const read = () => work(3).then(() => Float32Array.from(instruction))
        const rows = known.get(key, 0)?.catch(read) ?? read()
        known.keep(key, 0, instruction.byteLength, rows)
        const [question = Number.NaN] = await rows
        const { rows: seen } = await state
        if (waiter.gone()) throw new Interrupted('cancelled')
        await work(10)
        expect(new Set(seen).size).toBe(1)
        logits.push(Float32Array.of(seen[0] ?? Number.NaN, question))
      }
      return logits
    },
    close: async () => {},
  }
  const prepared = ({ tenant, state, questions }: Unit): PreparedUnit => ({
    kind: 'ready',
    tenant,
    snapshot: 's',
    cacheKey: `${tenant}${state}`,
    stateIds: new Int32Array(STATE_TOKENS[state] ?? 0).fill(state),
    stateTokens: 1,
    stateFramingTokens: 4,
    questions: questions.map(question => {
      const instruction = new Int32Array(5).fill(question)
      const key = `${tenant}?${question}`
      const asked = { key, instruction, options: [], optionInstructionIncluded: [], focus: [], scale: 1 }
      return { asked: { question: asked, questionTokens: 3, framingTokens: 2 }, reversed: null }
    }),
  })
  const metrics = createMetrics()
  const faults: unknown[] = []
  const core = createCore({
    intake: {
      read: async body => {
        await after(1)
        return { units: JSON.parse(new TextDecoder().decode(body)).map(prepared) }
      },
      close: async () => {},
    },
    backends: new Map([['s', backend]]),
    limits: {
      ...limits,
      memoryBytes: MEMORY_BYTES,
      cacheLifetimeMs: LIFETIME_MS,
      batchTokens: 256,
      queueTokens: 20_000,
    },
    metrics,
    now: () => Date.now(),
    onFault: fault => faults.push(fault),
  })
  return {
    ...core,
    faults,
    ask: async ({ units, waitMs, leavesAfterMs }: Extract<Step, { ask: object }>['ask']) => {
      const until = Date.now() + Math.min(waitMs, leavesAfterMs)
      const outcome = await core.score(new TextEncoder().encode(JSON.stringify(units)), {
        tenant: units[0]?.tenant ?? '',
        deadline: Date.now() + waitMs,
        gone: () => Date.now() >= until,
        onGone: () => {},
      })
      if ('error' in outcome) return
      const logits = outcome.units.map(unit => unit.kind === 'scored' && unit.questions.map(q => q.logits))
      expect(logits).toEqual(
        units.map(({ state, questions }) => questions.map(question => [state, question])),
      )
    },
    failAfter: (runs: number) => {
      failAfter = runs
    },
    metric: (series: string) => metricIn(metrics.text(), series),
  }
}

it('whatever is asked, given up, cleared or failed, no more is kept than may be, nothing is held in the end, and each answer is to its own question', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const hold = vi.spyOn(Held.prototype, 'hold')
  const release = vi.spyOn(Held.prototype, 'release')
  const keysOf = (calls: readonly (readonly [string, ...unknown[]])[]) => calls.map(([key]) => key).sort()
  const anyLimits = fc.record({
    cacheBytes: fc.constantFrom(0, 5_000, MEMORY_BYTES),
    questionBytes: fc.constantFrom(0, 60, 1_000),
    questionLifetimeMs: fc.constantFrom(0, 500),
  })
  await fc.assert(
    fc.asyncProperty(steps, anyLimits, async (all, limits) => {
      vi.clearAllTimers()
      hold.mockClear()
      release.mockClear()
      const { ask, clearCache, failAfter, faults, metric } = setup(limits)
      const asked: Promise<void>[] = []
      for (const step of all) {
        if ('ask' in step) asked.push(ask(step.ask))
        else if ('clear' in step) clearCache(step.clear)
        else if ('failAfter' in step) failAfter(step.failAfter)
        else await vi.advanceTimersByTimeAsync(step.pass)
        expect(metric('cache_bytes')).toBeLessThanOrEqual(limits.cacheBytes)
        expect(metric('question_bytes')).toBeLessThanOrEqual(limits.questionBytes)
      }
      await vi.advanceTimersByTimeAsync(20_000)
      await Promise.all(asked)
      const held = ['queue_units', 'queue_tokens', 'running_units', 'running_tokens', 'question_bytes']
      const states = ['state_bytes', 'cache_bytes', 'cache_states']
      expect([...held, ...states].filter(name => metric(name) !== 0)).toEqual([])
      expect(keysOf(release.mock.calls)).toEqual(keysOf(hold.mock.calls))
      expect(faults.filter(fault => !(fault instanceof RangeError && fault.message === 'broken'))).toEqual([])
    }),
  )
})
