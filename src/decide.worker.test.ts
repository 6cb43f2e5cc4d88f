import { describe, expect, it } from 'vitest'
import type { ScoreUnit, UnitAnswer } from '../scorer/protocol.ts'
import { NOTHING_SPENT } from './access/admission.ts'
import type { Question } from './decision/question.ts'
import { signatureOf } from './decision/question-signature.ts'
import { openaiRequest } from './openapi/examples.ts'
import { sealProfile } from './profiles/profile.ts'
import { newProfileKey } from './profiles/profile-keys.ts'
import { engineTimeout, type Scorer } from './scorer/scorer.ts'
import { SNAPSHOT, scorerThatPrefersTheFirst } from './testing/scorer.ts'
import { apiKey, profileKey, setup } from './testing/setup.ts'

const noul = { type: 'noul', instructions: 'urgent?' }
const decision = { state: 'state', questions: { q: noul } }
const ask = async (body: unknown, edge = setup(), path = '/v1/decisions') => {
  const response = await edge.post(path, body)
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

/** An edge whose scorer says this of whatever it is asked. */
const answering = (answer: UnitAnswer) =>
  setup({ scorer: { score: async () => ({ units: [answer], runMs: 0 }) } })

describe.each(['/v1/decisions', '/v1/altdecisions'])('POST %s → 200', path => {
  it('answers every question in its own type, with usage and metadata', async () => {
    const questions = {
      route: { type: 'choice', instructions: 'where?', criteria: { sales: 'buys', support: null } },
      urgent: noul,
      mood: { type: 'score', criteria: ['bad', { what: 'fair' }, 'good'] },
    }
    const { status, headers, body } = await ask({ state: { a: 1 }, questions }, setup(), path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('decider-model-version')).toBe(SNAPSHOT)
    const sum = 1 + Math.exp(-1) + Math.exp(-2)
    expect(body).toEqual({
      id: expect.stringMatching(/^dec_[0-9a-f]{24}$/),
      object: 'altdecisions.response',
      model: SNAPSHOT,
      answers: {
        route: expect.objectContaining({
          type: 'choice',
          choice: 'sales',
          logits: { sales: 0, support: -1 },
        }),
        urgent: expect.objectContaining({
          type: 'noul',
          noul: expect.closeTo(1 / (1 + Math.exp(-1)), 12),
          logits: { true: 0, false: -1 },
        }),
        mood: expect.objectContaining({
          type: 'score',
          score: expect.closeTo((Math.exp(-1) + 2 * Math.exp(-2)) / sum, 12),
          legend: { '0': 'bad', '1': { what: 'fair' }, '2': 'good' },
        }),
      },
      usage: {
        input_tokens: 7 + 51 + 4 + 3 * 3 + 2 * 7,
        state_tokens: 7,
        question_tokens: 51,
        framing_tokens: 4 + 3 * 3 + 2 * 7,
        image_tokens: 0,
        cached_tokens: 0,
        output_tokens: 0,
        cost_usd: 0.0000085,
      },
      latency_ms: expect.any(Number),
    })
    expect(Object.values<object>(body.answers).map(Object.keys)).toEqual([
      ['type', 'choice', 'probabilities', 'logits', 'confidence', 'decider'],
      ['type', 'noul', 'probabilities', 'logits', 'decider'],
      ['type', 'score', 'legend', 'probabilities', 'logits', 'confidence', 'decider'],
    ])
    expect(body.answers.urgent.decider).toEqual({
      calibrated: false,
      p_top: body.answers.urgent.noul,
      abstain: null,
      confidence_winning: body.answers.urgent.noul,
      confidence_normalized: expect.closeTo(2 * body.answers.urgent.noul - 1, 12),
    })
  })

  it('reports how long evaluation took, however long its caller took to send the body', async () => {
    let now = 0
    const scorer = scorerThatPrefersTheFirst()
    const edge = setup({
      now: () => now,
      scorer: {
        score: (...asked) => {
          now += 40
          return scorer.score(...asked)
        },
      },
    })
    const body = new ReadableStream({
      type: 'bytes',
      pull: controller => {
        now += 3_000
        controller.enqueue(new TextEncoder().encode(JSON.stringify(decision)))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await edge.fetch(path, { method: 'POST', body, headers })
    expect(await response.json()).toMatchObject({ latency_ms: 40 })
    expect(edge.recorded).toMatchObject([{ at: 0, latencyMs: 3_040 }])
  })

  it('reports no time at all if the clock was set back meanwhile', async () => {
    let now = Date.UTC(2026, 10, 21)
    const edge = setup({ now: () => (now -= 1_000) })
    expect((await ask(decision, edge)).body).toMatchObject({ latency_ms: 0 })
    expect(edge.recorded).toMatchObject([{ latencyMs: 0 }])
  })

  it('gives the engine no more time than its deadline if the clock was set back meanwhile', async () => {
    let now = Date.UTC(2026, 10, 21)
    const { catalogue, score } = scorerThatPrefersTheFirst()
    const deadlines: number[] = []
    const scorer: Partial<Scorer> = {
      catalogue: () => {
        now -= 3_600_000
        return catalogue()
      },
      score: (units, terms) => {
        deadlines.push(terms.deadlineMs)
        return score(units, terms)
      },
    }
    expect((await ask(decision, setup({ now: () => now, scorer }), path)).status).toBe(200)
    expect(deadlines).toEqual([10_000])
  })

  it('keeps the order of questions and options as sent', async () => {
    const sent =
      '{"state":1,"questions":{"10":{"type":"choice","criteria":{"9":null,"1":null,"__proto__":null}},' +
      '"2":{"type":"noul"},"__proto__":{"type":"noul"}}}'
    const text = await (await setup().post(path, sent)).text()
    const order = (...keys: string[]) => keys.map(key => text.indexOf(`"${key}":`))
    for (const places of [order('10', '2', 'usage'), order('9', '1', '__proto__')]) {
      expect(places).toEqual([...places].sort((one, other) => one - other))
      expect(places).not.toContain(-1)
    }
  })

  it('lists unknown top-level fields as warnings, and has none otherwise', async () => {
    expect((await ask({ ...decision, user: 1 }, setup(), path)).body.warnings).toEqual([
      'unknown field ignored: user',
    ])
    expect((await ask(decision, setup(), path)).body).not.toHaveProperty('warnings')
  })

  it.each(['decider-1', 'decider', SNAPSHOT])('takes the model %s and names its snapshot', async model => {
    expect((await ask({ ...decision, model }, setup(), path)).body.model).toBe(SNAPSHOT)
  })
})

describe('the scorer is told', () => {
  const toldBy = async (body: unknown): Promise<ScoreUnit | undefined> => {
    let told: ScoreUnit | undefined
    const { score } = scorerThatPrefersTheFirst()
    const edge = setup({
      scorer: { score: (units, limit) => score([...units], limit).finally(() => (told = units[0])) },
    })
    expect((await ask(body, edge)).status).toBe(200)
    return told
  }

  it('a tenant tag, a concrete snapshot, content as sent, and no question ids', async () => {
    const sent =
      '{"state":{"b":1.0,"a":[12345678901234567890, "é\\u0041"]},"questions":{"secret-id":' +
      '{"type":"choice","instructions":{"z":1,"a":2},"criteria":{"2":["x"],"1":null}}}}'
    expect(await toldBy(sent)).toEqual({
      tenant: 'tag of acct_test',
      snapshot: SNAPSHOT,
      state: { form: 'json', text: '{"b":1.0,"a":[12345678901234567890,"éA"]}' },
      questions: [
        {
          type: 'choice',
          instructions: '{"z":1,"a":2}',
          options: [
            ['2', '["x"]'],
            ['1', null],
          ],
        },
      ],
      reverse: false,
    })
  })

  it.each<[path: string, body: unknown, deadlineMs: number]>([
    ['/v1/decisions', decision, 9_900],
    ['/openai/v1/decisions', openaiRequest, 9_900],
    // One second less than its SDKs wait.
    ['/v1/systemone', decision, 8_900],
  ])(
    'at %s how much is left of the time, and for the log which request it is',
    async (path, body, deadlineMs) => {
      const { score, catalogue } = scorerThatPrefersTheFirst()
      const limits: object[] = []
      let now = 0
      const edge = setup({
        now: () => now,
        scorer: {
          catalogue: (...asked) => {
            now += 100
            return catalogue(...asked)
          },
          score: (units, limit) => {
            limits.push(limit)
            return score(units, limit)
          },
        },
      })
      await ask(body, edge, path)
      expect(limits).toEqual([{ deadlineMs, requestId: expect.stringMatching(/^req_/) }])
    },
  )

  it('texts as they are, and whether to score choices in both orders', async () => {
    const questions = {
      n: { type: 'noul', criteria: { false: 'no' } },
      s: { type: 'score', criteria: ['low', ['high']] },
    }
    expect(await toldBy({ state: 'say "hi"', questions, order_invariant: true })).toMatchObject({
      state: { form: 'text', text: 'say "hi"' },
      questions: [
        { type: 'noul', instructions: null, sides: [null, 'no'] },
        { type: 'score', instructions: null, levels: ['low', '["high"]'] },
      ],
      reverse: true,
    })
  })
})

describe('order_invariant', () => {
  const body = { state: 'state', questions: { q: { type: 'choice', criteria: { a: null, b: null } } } }

  it('evens out the effect of option order', async () => {
    expect((await ask(body)).body.answers.q.probabilities.a).toBeCloseTo(1 / (1 + Math.exp(-1)), 12)
    const { q } = (await ask({ ...body, order_invariant: true })).body.answers
    expect(q.probabilities.a).toBeCloseTo(0.5, 12)
    expect(q.logits.b).toBeCloseTo(Math.log(0.5), 12)
  })

  it('bills the second pass of a choice, and the state once', async () => {
    const once = (await ask(body)).body.usage
    const twice = (await ask({ ...body, order_invariant: true })).body.usage
    expect(twice).toMatchObject({
      state_tokens: once.state_tokens,
      question_tokens: once.question_tokens * 2,
      framing_tokens: (once.framing_tokens - 4) * 2 + 4,
    })
  })
})

describe('a calibration profile', () => {
  const question: Question = { type: 'noul', instructions: 'urgent?', criteria: { true: null, false: null } }
  const profileFor = (snapshot: string, cutoff: number | null = 0.9, key = profileKey) =>
    sealProfile({ snapshot, rules: new Map([[signatureOf(question), { temperature: 2, cutoff }]]) }, key)

  it('scales the questions it was fitted for, and no others', async () => {
    const { body } = await ask({
      state: 's',
      questions: { q: noul, other: { type: 'noul' } },
      calibration: profileFor(SNAPSHOT),
    })
    expect(body.answers.q).toMatchObject({
      logits: { true: 0, false: -0.5 },
      decider: { calibrated: true, abstain: true },
    })
    expect(body.answers.other.decider).toMatchObject({ calibrated: false, abstain: null })
  })

  it('costs nothing', async () => {
    const plain = (await ask(decision)).body.usage
    expect((await ask({ ...decision, calibration: profileFor(SNAPSHOT) })).body.usage).toEqual(plain)
  })

  it.each([
    ['malformed', 'nonsense'],
    ['altered', `${profileFor(SNAPSHOT).slice(0, -2)}AA`],
    ['signed with a retired key', profileFor(SNAPSHOT, 0.9, newProfileKey('old'))],
  ])('that is %s gets 400', async (_, calibration) => {
    const { status, body } = await ask({ ...decision, calibration })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'invalid_calibration_profile',
      param: 'calibration',
    })
  })

  it('that is malformed gets 400 also while no scorer answers, which a sound one does not', async () => {
    const away = setup({ scorer: { score: () => Promise.reject(engineTimeout()) } })
    expect((await ask({ ...decision, calibration: 'nonsense' }, away)).status).toBe(400)
    expect((await ask({ ...decision, calibration: profileFor(SNAPSHOT) }, away)).status).toBe(503)
  })

  it('of another snapshot gets 409, without param, and need not be sent again', async () => {
    const { status, headers, body } = await ask({
      ...decision,
      calibration: profileFor('decider-preview-2025-01-01'),
    })
    expect(status).toBe(409)
    expect(headers.get('x-should-retry')).toBe('false')
    expect(body.error).toEqual({
      type: 'invalid_request_error',
      code: 'profile_model_mismatch',
      message: expect.any(String),
    })
  })
})

describe('POST /v1/decisions refuses', () => {
  it('an unknown model with 404, before looking at the rest', async () => {
    for (const model of ['gpt-6', 'constructor', '__proto__']) {
      const { status, body } = await ask({ model, questions: 7 })
      expect(status).toBe(404)
      expect(body.error).toEqual({
        type: 'invalid_request_error',
        code: 'model_not_found',
        message: expect.any(String),
      })
    }
  })

  it('a broken schema with 422, before reading a profile', async () => {
    const { status, body } = await ask({
      state: 's',
      questions: { q: { type: 'noul', weight: 1 } },
      calibration: 'x',
    })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'invalid_schema',
      param: 'questions.q.weight',
    })
  })

  it('a state that is too long with 422, at no cost', async () => {
    const edge = answering({ kind: 'state_too_long', limit: 65_536 })
    const { status, body } = await ask(decision, edge)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      code: 'state_too_long',
      param: 'state',
      message: expect.stringContaining('65536'),
    })
    expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
  })

  it('a state that is too long with 422, before reading a profile, and a bad profile without scoring', async () => {
    const profiled = { ...decision, calibration: 'x' }
    const long = await ask(profiled, answering({ kind: 'state_too_long', limit: 65_536 }))
    expect(long.body.error).toMatchObject({ code: 'state_too_long' })
    const told: ScoreUnit[] = []
    const scorer = scorerThatPrefersTheFirst()
    const score: Scorer['score'] = (units, terms) => {
      told.push(...units)
      return scorer.score(units, terms)
    }
    const fitting = await ask(profiled, setup({ scorer: { score } }))
    expect(fitting.body.error).toMatchObject({ code: 'invalid_calibration_profile' })
    expect(told).toMatchObject([{ checkOnly: true }])
  })

  it('instructions that are too long with 422, naming the question', async () => {
    const edge = answering({ kind: 'instructions_too_long', question: 1, limit: 256 })
    const { status, body } = await ask({ state: 's', questions: { a: noul, b: noul } }, edge)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'invalid_schema', param: 'questions.b.instructions' })
  })

  it('with 503 and Retry-After 2, at no cost, while the scorer is away', async () => {
    const away = [
      setup({ scorer: { score: () => Promise.reject(engineTimeout()) } }),
      setup({ scorer: { catalogue: async () => null } }),
      answering({ kind: 'unknown_snapshot' }),
    ]
    for (const edge of away) {
      const { status, headers, body } = await ask(decision, edge)
      expect(status).toBe(503)
      expect(headers.get('retry-after')).toBe('2')
      expect(headers.has('decider-model-version')).toBe(false)
      expect(body.error).toEqual({ type: 'api_error', code: 'engine_timeout', message: expect.any(String) })
      expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
    }
  })

  it('with 500, at no cost, if a question or a logit is missing from what was scored', async () => {
    const { score } = scorerThatPrefersTheFirst()
    const without =
      (part: 'question' | 'logit'): Scorer['score'] =>
      async (units, limit) => {
        const answer = await score(units, limit)
        for (const unit of answer.units) {
          if (unit.kind !== 'scored') continue
          if (part === 'question') unit.questions.pop()
          else unit.questions[0]?.logits.pop()
        }
        return answer
      }
    for (const part of ['question', 'logit'] as const) {
      const edge = setup({ scorer: { score: without(part) } })
      expect((await ask(decision, edge)).status).toBe(500)
      expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
    }
  })
})
