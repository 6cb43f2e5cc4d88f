import { describe, expect, it } from 'vitest'
import type { ScoreReply, ScoreUnit } from '../../scorer/protocol.ts'
import { Problem } from '../problem.ts'
import { checkAll, scoreAll } from './scoring.ts'

const unitOf = (index: number, text = `${index}`): ScoreUnit => ({
  tenant: 't',
  snapshot: 's',
  state: { form: 'text', text },
  questions: [{ type: 'noul', instructions: null, sides: [null, null] }],
  reverse: false,
})
const units = (count: number, bytes = 1_000) =>
  Array.from({ length: count }, (_, index) => unitOf(index, String(index).padStart(bytes, '.')))
/** Answers each unit with the number in its state. */
const echo = (asked: readonly ScoreUnit[]): ScoreReply => ({
  units: asked.map(({ state }) => ({
    kind: 'scored',
    stateTokens: Number(state.text.replace(/^\.+/, '')),
    stateFramingTokens: 4,
    cached: false,
    questions: [],
  })),
  runMs: 0,
})
const late = () => new Problem('engine_timeout', 'late', { retryAfterSeconds: 2 })

const setup = (
  score: (asked: readonly ScoreUnit[], call: number) => Promise<ScoreReply> | ScoreReply,
  msPerCall = 1_500,
) => {
  const calls: { units: number; bytes: number; deadlineMs: number; requestId: string; pauses: number }[] = []
  const pauses: number[] = []
  let clock = Date.now()
  let flying = 0
  let mostFlying = 0
  const scorer = {
    score: async (asked: readonly ScoreUnit[], terms: { deadlineMs: number; requestId: string }) => {
      const bytes = JSON.stringify(asked).length
      const call = calls.push({ units: asked.length, bytes, ...terms, pauses: pauses.length })
      flying += 1
      mostFlying = Math.max(mostFlying, flying)
      await new Promise(resolve => setImmediate(resolve))
      flying -= 1
      clock += msPerCall / 4
      return score(asked, call)
    },
  }
  return {
    calls,
    pauses,
    mostFlying: () => mostFlying,
    scoring: {
      scorer,
      requestId: 'req_test',
      now: () => clock,
      pause: async (ms: number) => {
        await new Promise(resolve => setImmediate(resolve))
        pauses.push(ms)
      },
      refuse: (_: unknown, index: number) =>
        new Problem('state_too_long', '', { param: `examples.${index}.state` }),
    },
  }
}

describe('checkAll', () => {
  const setupWith = (kindOf: (unit: ScoreUnit) => 'within_limits' | 'unknown_snapshot') =>
    setup(asked => ({ units: asked.map(unit => ({ kind: kindOf(unit) })), runMs: 0 }))

  it('asks about as many units at a time as a scorer takes', async () => {
    const { scoring, calls } = setupWith(() => 'within_limits')
    await checkAll(units(3_000, 1), scoring)
    expect(calls.map(call => call.units)).toEqual([1_024, 1_024, 952])
  })

  it('names the unit that the scorer refuses', async () => {
    const { scoring } = setupWith(({ state }) => (state.text === '77' ? 'unknown_snapshot' : 'within_limits'))
    await expect(checkAll(units(200, 1), scoring)).rejects.toMatchObject({ param: 'examples.77.state' })
  })
})

describe('scoreAll', () => {
  it('keeps the order of what it was given', async () => {
    const { scoring } = setup(echo)
    const scored = await scoreAll(units(1_000), scoring)
    expect(scored.map(({ stateTokens }) => stateTokens)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index),
    )
  })

  it('sends chunks bounded by bytes, a few at a time, each with a deadline of its own', async () => {
    const { scoring, calls, mostFlying } = setup(echo)
    await scoreAll(units(500), scoring)
    expect(calls.length).toBeGreaterThan(50)
    for (const { bytes, deadlineMs, requestId } of calls) {
      expect(bytes).toBeLessThan(4_000)
      expect(deadlineMs).toBe(10_000)
      expect(requestId).toBe('req_test')
    }
    expect(mostFlying()).toBe(4)
  })

  it('sends a unit larger than a chunk on its own', async () => {
    const { scoring, calls } = setup(echo)
    const large = (index: number) => unitOf(index, `${index}`.padStart(100_000, '.'))
    await scoreAll([large(0), unitOf(1), large(2), unitOf(3)], scoring)
    expect(calls.map(call => call.units)).toEqual([1, 1, 1, 1])
  })

  it('sends larger chunks to a fast scorer and smaller ones to a slow one, within bounds', async () => {
    const lastOf = async (msPerCall: number) => {
      const { scoring, calls } = setup(echo, msPerCall)
      await scoreAll(units(3_000, 500), scoring)
      return calls.at(-5)?.bytes ?? 0
    }
    expect(await lastOf(20)).toBeGreaterThan(100_000)
    expect(await lastOf(20)).toBeLessThan(400_000)
    expect(await lastOf(8_000)).toBeLessThan(2_000)
  })

  it('makes units only when their turn comes', async () => {
    let made = 0
    const { scoring } = setup(() => {
      throw late()
    })
    function* counted() {
      for (const unit of units(1_000)) {
        made += 1
        yield unit
      }
    }
    await expect(scoreAll(counted(), scoring)).rejects.toThrow('late')
    expect(made).toBeLessThan(100)
  })

  it('tries an unanswered chunk a second time, after a pause', async () => {
    const { scoring, pauses, calls } = setup((asked, call) => {
      if (call === 2) throw late()
      return echo(asked)
    })
    const scored = await scoreAll(units(100), scoring)
    expect(scored).toHaveLength(100)
    expect(pauses).toEqual([1_000])
    expect(calls.reduce((sum, call) => sum + call.units, 0)).toBeGreaterThan(100)
  })

  it('tries again only once the pause is over', async () => {
    const { scoring, calls } = setup((asked, call) => {
      if (call === 1) throw late()
      return echo(asked)
    })
    await scoreAll(units(1), scoring)
    expect(calls.map(({ pauses }) => pauses)).toEqual([0, 1])
  })

  it('asks alone for what a scorer refuses because of the other chunks', async () => {
    let busy = false
    const { scoring, calls } = setup(echo)
    const score: typeof scoring.scorer.score = async (asked, terms) => {
      if (busy) throw late()
      busy = true
      try {
        return await scoring.scorer.score(asked, terms)
      } finally {
        busy = false
      }
    }
    const scored = await scoreAll(units(50, 100_000), { ...scoring, scorer: { score } })
    expect(scored.map(({ stateTokens }) => stateTokens)).toEqual(Array.from({ length: 50 }, (_, n) => n))
    expect(calls).toHaveLength(50)
  })

  it('sends less at a time to a scorer that did not answer', async () => {
    const { scoring, calls } = setup((asked, call) => {
      if (call <= 4) throw late()
      return echo(asked)
    })
    await scoreAll(units(100, 100), scoring)
    expect(calls[8]?.bytes).toBeLessThan((calls[0]?.bytes ?? 0) / 2)
  })

  it('gives up when a chunk goes unanswered twice, and starts no more', async () => {
    const { scoring, calls } = setup(() => {
      throw late()
    })
    await expect(scoreAll(units(1_000), scoring)).rejects.toMatchObject({ code: 'engine_timeout' })
    expect(calls.length).toBeLessThanOrEqual(8)
  })

  it.each([new TypeError('a bug'), new Problem('internal_error', 'a bug')])(
    'does not retry what is not the engine’s fault: %s',
    async error => {
      const { scoring, calls } = setup(() => {
        throw error
      })
      await expect(scoreAll(units(1), scoring)).rejects.toThrow('a bug')
      expect(calls).toHaveLength(1)
    },
  )

  it('names the unit that the scorer refuses', async () => {
    const { scoring } = setup(asked => {
      const answer = echo(asked)
      return {
        ...answer,
        units: answer.units.map(unit =>
          unit.kind === 'scored' && unit.stateTokens === 77
            ? { kind: 'state_too_long', limit: 65_536 }
            : unit,
        ),
      }
    })
    await expect(scoreAll(units(200), scoring)).rejects.toMatchObject({ param: 'examples.77.state' })
  })
})
