import { describe, expect, inject, it, vi } from 'vitest'
import type { ScoreUnit } from '../../scorer/protocol.ts'
import type { ScorerCall, ScorerFault } from '../fault.ts'
import { Problem } from '../problem.ts'
import { useStoppedTimers } from '../testing/clock.ts'
import { ASKED_WITHIN_MS, SCORER_KEY, TENANT_SECRET } from '../testing/unruly-scorer.ts'
import { scorerAt } from './client.ts'

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:9'
const unit: ScoreUnit = {
  tenant: 'tenant',
  snapshot: 'snapshot',
  state: { form: 'text', text: 'the state, é' },
  questions: [{ type: 'noul', instructions: null, sides: [null, null] }],
  reverse: false,
}

const setup = (url: string) => {
  const faults: ScorerFault[] = []
  const calls: ScorerCall[] = []
  const time = { now: Date.now() }
  const scorer = scorerAt({
    url,
    key: SCORER_KEY,
    tenantSecret: TENANT_SECRET,
    now: () => time.now,
    report: (fault, call) => {
      faults.push(fault)
      calls.push(call)
    },
  })
  return { scorer, faults, calls, time }
}

useStoppedTimers()

const DEADLINE_MS = 400

const failureOf = async (url: string) => {
  const { scorer, faults } = setup(url)
  const problem = await scorer.score([unit], { deadlineMs: DEADLINE_MS }).then(
    () => null,
    (error: unknown) => error,
  )
  return { problem, faults }
}

const behaving = (behaviour: string) => `${inject('unrulyScorer')}/${behaviour}`

/** Waits until the scorer has seen this caller ask or leave. */
const untilSeen = async (what: 'asked' | 'left', caller: string): Promise<void> => {
  while ((await fetch(behaving(`${what}/${caller}/healthz`))).status !== 200) await scheduler.wait(1)
}

/** The failure of a scorer that is still at it when the deadline comes. */
const lateFailureOf = async (behaviour: string, caller: string = crypto.randomUUID()) => {
  const failure = failureOf(behaving(`${behaviour}/${caller}`))
  await untilSeen('asked', caller)
  vi.advanceTimersByTime(DEADLINE_MS - 1)
  expect(await Promise.race([failure, scheduler.wait(1)])).toBeUndefined()
  vi.advanceTimersByTime(1)
  return failure
}

describe('a scorer that behaves', () => {
  it('is asked with a signature over the exact bytes, a deadline and an affinity tag', async () => {
    const { scorer, faults } = setup(behaving('well'))
    const answer = await scorer.score([unit], { deadlineMs: ASKED_WITHIN_MS })
    expect(answer.units).toMatchObject([{ kind: 'scored', stateTokens: 3, questions: [{ logits: [1, 0] }] }])
    expect(faults).toEqual([])
  })

  it('may answer with 32,000,000 bytes', async () => {
    const { scorer } = setup(behaving('at-length'))
    expect(await scorer.score([unit], { deadlineMs: DEADLINE_MS })).toMatchObject({ runMs: 1 })
  })

  it('is found if its address ends in slashes', async () => {
    const { scorer } = setup(`${behaving('well')}//`)
    expect(await scorer.score([unit], { deadlineMs: ASKED_WITHIN_MS })).toMatchObject({ runMs: 1 })
  })
})

describe('every failure of the scorer is engine_timeout, to be retried after 2 seconds', () => {
  it.each<[behaviour: string, fault: ScorerFault]>([
    ['killed', 'unreachable'],
    ['killed-early', 'unreachable'],
    ['redirecting', 'refused'],
    ['moved', 'refused'],
    ['bad-signature', 'bad_signature'],
    ['clock', 'clock'],
    ['wrong-version', 'wrong_version'],
    ['full', 'full'],
    ['draining', 'draining'],
    ['faulty', 'fault'],
    ['full-as-500', 'refused'],
    ['bad-signature-as-403', 'refused'],
    ['tired', 'refused'],
    ['proxy-page', 'refused'],
    ['not-an-object', 'refused'],
    ['refusing-at-length', 'refused'],
    ['refusing-endlessly', 'refused'],
    ['refusing-in-part', 'refused'],
    ['endless', 'too_large'],
    ['behind', 'unknown_snapshot'],
    ['nonsense', 'nonsense'],
    ['not-utf8', 'nonsense'],
    ['empty', 'nonsense'],
    ['other-shape', 'nonsense'],
    ['too-many-logits', 'nonsense'],
    ['infinite', 'nonsense'],
  ])('%s', async (behaviour, fault) => {
    const { problem, faults } = await failureOf(behaving(behaviour))
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({ code: 'engine_timeout', retryAfterSeconds: 2 })
    expect(faults).toEqual([fault])
  })

  it.each(['hanging', 'dripping', 'refusing-slowly'])('%s, at the deadline', async behaviour => {
    const { problem, faults } = await lateFailureOf(behaviour)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({ code: 'engine_timeout', retryAfterSeconds: 2 })
    expect(faults).toEqual(['late'])
  })

  it.each([
    ['hanging', lateFailureOf],
    ['dripping', lateFailureOf],
    ['endless', (behaviour: string, caller: string) => failureOf(behaving(`${behaviour}/${caller}`))],
  ])('%s, which hears that nobody waits for the rest', async (behaviour, fail) => {
    const caller = crypto.randomUUID()
    await fail(behaviour, caller)
    await untilSeen('left', caller)
  })

  it('nobody there', async () => {
    const { problem, faults } = await failureOf(NOBODY)
    expect(problem).toMatchObject({ code: 'engine_timeout', retryAfterSeconds: 2 })
    expect(faults).toEqual(['unreachable'])
  })

  it('is told with the call that failed, and with the request it was made for', async () => {
    const { scorer, calls } = setup(NOBODY)
    await scorer.health()
    await scorer.score([unit], { deadlineMs: DEADLINE_MS, requestId: 'req_1' }).catch(() => {})
    await scorer.score([unit], { deadlineMs: DEADLINE_MS }).catch(() => {})
    expect(calls).toEqual([{ call: 'health' }, { call: 'score', request_id: 'req_1' }, { call: 'score' }])
  })
})

describe('the health of the scorer', () => {
  it('is what it reports', async () => {
    expect(await setup(behaving('healthy')).scorer.health()).toMatchObject({ ok: true, engine: 'unruly' })
  })

  it.each<[url: string, fault: ScorerFault]>([
    [NOBODY, 'unreachable'],
    [behaving('nonsense'), 'nonsense'],
    [behaving('stopping'), 'draining'],
    [behaving('not-ready-as-500'), 'refused'],
  ])('is the reason why there is none: %s', async (url, fault) => {
    const { scorer, faults } = setup(url)
    expect(await scorer.health()).toBe(fault)
    expect(faults).toEqual([fault])
  })

  it('is asked for once a second, and again if the clock was set back', async () => {
    for (const ms of [1, -3_600_000]) {
      const { scorer, time } = setup(behaving(`healthy-once/${crypto.randomUUID()}`))
      expect(await scorer.health()).toMatchObject({ ok: true })
      time.now += 1_000
      expect(await scorer.health()).toMatchObject({ ok: true })
      time.now += ms
      expect(await scorer.health()).toBe('unreachable')
    }
  })
})

describe('a probe of the scorer', () => {
  it('waits two seconds for an answer', async () => {
    const health = setup(behaving('hanging')).scorer.health()
    vi.advanceTimersByTime(1_999)
    expect(await Promise.race([health, scheduler.wait(1)])).toBeUndefined()
    vi.advanceTimersByTime(1)
    expect(await health).toBe('late')
  })

  it('holds up one request: the others are told what was heard before, until it must have ended', async () => {
    const { scorer, faults, time } = setup(behaving(`hanging-later/${crypto.randomUUID()}`))
    const heard = await scorer.catalogue()
    const isWaiting = async (asking: Promise<unknown>) =>
      (await Promise.race([asking, scheduler.wait(10)])) === undefined
    time.now += 10_001
    const first = scorer.catalogue()
    expect(await scorer.catalogue()).toEqual(heard)
    expect(await scorer.health()).toEqual(heard)
    expect(await isWaiting(first)).toBe(true)
    time.now += 2_001
    const second = scorer.catalogue()
    expect(await isWaiting(second)).toBe(true)
    vi.advanceTimersByTime(2_000)
    expect(await Promise.all([first, second])).toEqual([heard, heard])
    expect(faults).toEqual(['late', 'late'])
    expect(await scorer.health()).toBe('late')
  })

  it('does not read an answer without end', async () => {
    expect(await setup(behaving('endless')).scorer.health()).toBe('too_large')
  })

  it('is awaited by every request until something was heard', async () => {
    const { scorer } = setup(behaving('healthy'))
    for (const health of await Promise.all([scorer.health(), scorer.health()]))
      expect(health).toMatchObject({ ok: true })
  })

  it('leaves no timer behind', async () => {
    expect(await setup(behaving('healthy')).scorer.health()).toMatchObject({ ok: true })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the catalogue', () => {
  it('is null until the scorer is heard from, and asked for each time', async () => {
    const { scorer, faults } = setup(NOBODY)
    expect(await scorer.catalogue()).toBeNull()
    expect(await scorer.catalogue()).toBeNull()
    expect(faults).toEqual(['unreachable', 'unreachable'])
  })

  it('outlives a scorer that goes away', async () => {
    const { scorer, faults, time } = setup(behaving(`healthy-once/${crypto.randomUUID()}`))
    const heard = await scorer.catalogue()
    expect(heard).toMatchObject({ snapshots: [], aliases: {} })
    time.now += 3_600_000
    expect(await scorer.catalogue()).toEqual(heard)
    expect(faults).toEqual(['unreachable'])
    expect(await scorer.health()).toBe('unreachable')
  })

  it('is asked for again after ten seconds, and not before', async () => {
    const { scorer, faults, time } = setup(behaving(`healthy-once/${crypto.randomUUID()}`))
    await scorer.catalogue()
    time.now += 10_000
    await scorer.catalogue()
    expect(faults).toEqual([])
    time.now += 1
    await scorer.catalogue()
    expect(faults).toEqual(['unreachable'])
  })
})
