import { describe, expect, inject, it } from 'vitest'
import type { ScoreUnit } from '../../scorer/protocol.ts'
import type { ScorerCall, ScorerFault } from '../fault.ts'
import { Problem } from '../problem.ts'
import { SCORER_KEY } from '../testing/unruly-scorer.ts'
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
    tenantSecret: 'secret',
    now: () => time.now,
    report: (fault, call) => {
      faults.push(fault)
      calls.push(call)
    },
  })
  return { scorer, faults, calls, time }
}

const DEADLINE_MS = 400
/** Enough time to read past the cap. */
const LONG_DEADLINE_MS = 20_000

const failureOf = async (url: string, deadlineMs = DEADLINE_MS) => {
  const { scorer, faults } = setup(url)
  const start = performance.now()
  const problem = await scorer.score([unit], { deadlineMs }).then(
    () => null,
    (error: unknown) => error,
  )
  return { problem, faults, elapsedMs: performance.now() - start }
}

const behaving = (behaviour: string) => `${inject('unrulyScorer')}/${behaviour}`

describe('a scorer that behaves', () => {
  it('is asked with a signature over the exact bytes, a deadline and an affinity tag', async () => {
    const { scorer, faults } = setup(behaving('well'))
    const answer = await scorer.score([unit], { deadlineMs: 5_000 })
    expect(answer.units).toMatchObject([{ kind: 'scored', stateTokens: 3, questions: [{ logits: [1, 0] }] }])
    expect(faults).toEqual([])
  })

  it('is found if its address ends in a slash', async () => {
    const { scorer } = setup(`${behaving('well')}/`)
    expect(await scorer.score([unit], { deadlineMs: 5_000 })).toMatchObject({ runMs: 1 })
  })
})

describe('every failure of the scorer is engine_timeout, to be retried after 2 seconds', () => {
  it.each<[behaviour: string, fault: ScorerFault]>([
    ['killed', 'unreachable'],
    ['killed-early', 'unreachable'],
    ['hanging', 'late'],
    ['dripping', 'late'],
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
    ['refusing-slowly', 'late'],
    ['behind', 'unknown_snapshot'],
    ['nonsense', 'nonsense'],
    ['not-utf8', 'nonsense'],
    ['empty', 'nonsense'],
    ['other-shape', 'nonsense'],
    ['too-few-units', 'nonsense'],
    ['too-many-logits', 'nonsense'],
    ['no-number', 'nonsense'],
    ['infinite', 'nonsense'],
    ['negative-tokens', 'nonsense'],
    ['unasked-reversal', 'nonsense'],
  ])('%s', async (behaviour, fault) => {
    const { problem, faults, elapsedMs } = await failureOf(behaving(behaviour))
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({ code: 'engine_timeout', retryAfterSeconds: 2 })
    expect(faults).toEqual([fault])
    expect(elapsedMs).toBeLessThan(DEADLINE_MS + 1_000)
  })

  it('an answer without end', async () => {
    const { problem, faults } = await failureOf(behaving('endless'), LONG_DEADLINE_MS)
    expect(problem).toMatchObject({ code: 'engine_timeout', retryAfterSeconds: 2 })
    expect(faults).toEqual(['too_large'])
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

  it('is asked for again after a second, and if the clock was set back', async () => {
    for (const ms of [1_001, -3_600_000]) {
      const { scorer, time } = setup(behaving(`healthy-once/${crypto.randomUUID()}`))
      expect(await scorer.health()).toMatchObject({ ok: true })
      time.now += ms
      expect(await scorer.health()).toBe('unreachable')
    }
  })
})

describe('the catalogue', () => {
  it('is null if the scorer has never been heard from', async () => {
    expect(await setup(NOBODY).scorer.catalogue()).toBeNull()
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

  it('is not asked for again while it is fresh', async () => {
    const { scorer, faults } = setup(behaving(`healthy-once/${crypto.randomUUID()}`))
    await scorer.catalogue()
    await scorer.catalogue()
    expect(faults).toEqual([])
  })
})
