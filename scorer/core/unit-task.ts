import type { Backend, EncodedState } from '../backend/backend.ts'
import type { Pass, UnitAnswer } from '../protocol.ts'
import type { Asking } from './cache/question-cache.ts'
import type { StateStore, Wanted } from './cache/state-store.ts'
import type { ScorerMetrics } from './metrics/scorer-metrics.ts'
import type { Task } from './queue/task.ts'
import type { Caller } from './reading/caller.ts'
import { type PreparedPass, passesOf, type ReadyUnit } from './reading/prepared.ts'

type UnitTaskParts = {
  store: StateStore<EncodedState>
  /** Access to encoded questions for the request that contains the unit. */
  asking: Asking
  metrics: ScorerMetrics
  now: () => number
}
export type UnitTask = Task & { readonly answer: Promise<UnitAnswer> }

/** A unit as the queue sees it, and its answer once it has had its turn. */
export const unitTask = (
  unit: ReadyUnit,
  backend: Backend,
  caller: Pick<Caller, 'deadline' | 'gone'>,
  { store, asking, metrics, now }: UnitTaskParts,
): UnitTask => {
  const { promise: answer, resolve, reject } = Promise.withResolvers<UnitAnswer>()
  const passes = passesOf(unit)
  const known = asking.of(
    unit.tenant,
    passes.map(({ question }) => question.key),
  )
  const questionTokens = passes.reduce((sum, pass) => sum + costOf(backend, pass, unit.stateIds.length), 0)

  const timed = async <T>(stage: string, work: Promise<T>): Promise<T> => {
    const start = now()
    try {
      return await work
    } finally {
      metrics.run.observe((now() - start) / 1_000, { stage })
    }
  }
  const wanted: Wanted<EncodedState> = {
    key: unit.cacheKey,
    tenant: unit.tenant,
    bytes: backend.stateBytes(unit.stateIds.length),
    encode: (memory, waiter) => timed('state', backend.encodeState(unit.stateIds, waiter, memory)),
  }

  return {
    answer,
    tenant: unit.tenant,
    deadline: caller.deadline,
    questionTokens,
    state: { key: unit.cacheKey, tokens: unit.stateIds.length },
    standing: () => store.standing(unit.cacheKey),
    gone: () => caller.gone(),
    drop: reject,
    begin() {
      const leasing = store.tryAcquire(wanted, caller)
      if (leasing === null) return null
      const state = leasing.then(lease => lease.state)
      const questions = passes.map(({ question }) => question)
      const reading = timed('questions', backend.readQuestions(state, questions, caller, known))
      // If the state cannot be encoded, that failure is the one reported.
      reading.catch(() => {})
      const work = leasing.then(async lease => {
        try {
          return answerOf(unit, lease.cached, await reading)
        } finally {
          lease.release()
        }
      })
      work.then(resolve, reject)
      return work.then(() => undefined)
    },
  }
}

/** Comparing a question's token with this many tokens of a state takes as long as encoding that token. */
const COMPARED_TOKENS = 6_144

/**
 * The cost of a pass, in tokens encoded: many questions on a long state take long even if the state is cached. Rows that
 * are known count in full, because a batch also limits how many are held and compared at a time.
 */
const costOf = (
  backend: Backend,
  { question, questionTokens, framingTokens }: PreparedPass,
  stateTokens: number,
): number => {
  const compared = question.focus.reduce((sum, [start, end]) => sum + end - start, 0) || stateTokens
  const comparing = (questionTokens + framingTokens) * (compared / COMPARED_TOKENS)
  return Math.ceil(backend.encodedRows(question) + comparing)
}

/** `logits` are those of `passesOf(unit)`, in that order. */
const answerOf = (unit: ReadyUnit, cached: boolean, logits: readonly Float32Array[]): UnitAnswer => {
  const results = logits.values()
  const pass = ({ questionTokens, framingTokens }: PreparedPass): Pass => {
    const { value } = results.next()
    // The edge would take it for the answer of something that is not a scorer.
    if (value === undefined || value.length === 0) throw new RangeError('a pass has no logits')
    return { logits: Array.from(value), questionTokens, framingTokens }
  }
  return {
    kind: 'scored',
    stateTokens: unit.stateTokens,
    stateFramingTokens: unit.stateFramingTokens,
    cached,
    questions: unit.questions.map(({ asked, reversed }) => ({
      ...pass(asked),
      reversed: reversed === null ? null : inAskedOrder(pass(reversed)),
    })),
  }
}

const inAskedOrder = (reversed: Pass): Pass => ({ ...reversed, logits: reversed.logits.toReversed() })
