import { APIError } from '@typesafe-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { AnswerMetadata, Decision } from '../../decision/decision.ts'
import { Misfit } from '../../decision/misfit.ts'
import { tooLong } from '../../decision/too-long.ts'
import type { Json } from '../../json/json.ts'
import { compact } from '../../json/writer.ts'
import { Problem, type ProblemCode } from '../../problem.ts'
import { jsonIn, jsonOf } from '../../testing/json.ts'
import { problemOf } from '../../testing/problem.ts'
import { systemone } from './systemone.ts'

const noul = { type: 'noul', instructions: 'Is it urgent?' }
const body = (change: Record<string, unknown> = {}): Json =>
  jsonOf({ model: 'jev-latest', state: 'Help!', questions: { urgent: noul }, ...change })
const asking = (question: unknown): Json => body({ questions: { q: question } })
const request = (sent: Json) => systemone.read(sent).request
const refused = (sent: Json): unknown => {
  const { status, body: written } = systemone.refuse(problemOf(() => systemone.read(sent)))
  return { status, ...JSON.parse(compact(written)) }
}
const missing = (...path: (string | number)[]) => ({
  status: 422,
  detail: [{ type: 'missing', loc: ['body', ...path], msg: 'is required' }],
})
const invalid = (...path: (string | number)[]) => ({
  status: 422,
  detail: [{ type: 'invalid_schema', loc: ['body', ...path], msg: expect.any(String) }],
})
const invalidInQuestion = (...path: (string | number)[]) => invalid('questions', 'q', ...path)

describe('a System One request', () => {
  it.each(['Help!', { subject: 'Help' }, ['Help', { n: 1 }]])(
    'has a string, object or array as its state: %j',
    state => {
      expect(compact(request(body({ state })).state)).toBe(JSON.stringify(state))
    },
  )

  it('may leave out instructions, criteria, a side of them and descriptions', () => {
    const { questions } = request(
      body({
        questions: {
          bare: { type: 'noul' },
          null: { type: 'noul', instructions: null, criteria: null },
          side: { type: 'noul', criteria: { false: 'No threat' } },
          choice: { type: 'choice', criteria: { a: null, b: ['x'] } },
          score: { type: 'score', criteria: ['low', { label: 'high' }] },
        },
      }),
    )
    const open = { type: 'noul', instructions: null, criteria: { true: null, false: null } }
    expect([...questions]).toEqual([
      ['bare', open],
      ['null', open],
      ['side', { ...open, criteria: { true: null, false: 'No threat' } }],
      [
        'choice',
        {
          type: 'choice',
          instructions: null,
          criteria: new Map<string, unknown>([
            ['a', null],
            ['b', ['x']],
          ]),
        },
      ],
      ['score', { type: 'score', instructions: null, criteria: ['low', new Map([['label', 'high']])] }],
    ])
  })

  it('keeps any id and option key, in the order sent', () => {
    const { questions } = request(
      jsonIn(
        '{"state":"x","questions":{"10":{"type":"noul"},"2":{"type":"noul"},"__proto__":{"type":"noul"},"":{"type":"choice","criteria":{"9":null,"1":null,"constructor":null}}}}',
      ),
    )
    expect([...questions.keys()]).toEqual(['10', '2', '__proto__', ''])
    const last = questions.get('')
    expect(last?.type === 'choice' && [...last.criteria.keys()]).toEqual(['9', '1', 'constructor'])
  })

  it('takes our own settings under prefixed names only', () => {
    const settings = { x_calibration: 'calp1.k.b', x_order_invariant: true }
    expect(request(body({ ...settings, assets: null }))).toMatchObject({
      calibration: 'calp1.k.b',
      orderInvariant: true,
      warnings: [],
    })
    expect(request(body({ calibration: 'calp1.k.b', order_invariant: true, seed: 7 }))).toMatchObject({
      calibration: null,
      orderInvariant: false,
      warnings: [
        'unknown field ignored: calibration; here it is x_calibration',
        'unknown field ignored: order_invariant; here it is x_order_invariant',
        'unknown field ignored: seed',
      ],
    })
  })

  const options = (count: number) =>
    Object.fromEntries([...Array(count).keys()].map(key => [`o${key}`, null]))

  it('may have up to 255 options and 10 levels', () => {
    const choice = { type: 'choice', criteria: options(255) }
    const score = { type: 'score', criteria: Array(10).fill('level') }
    expect(request(body({ questions: { choice, score } })).questions.size).toBe(2)
  })

  it.each([
    ['no state', jsonOf({ questions: { q: noul } }), missing('state')],
    ['no questions', jsonOf({ state: 'x' }), missing('questions')],
    ['no question at all', body({ questions: {} }), invalid('questions')],
    ['an array of questions', body({ questions: [{ name: 'q', ...noul }] }), invalid('questions')],
    ['an array as the body', jsonOf([]), invalid()],
    ['a number as the state', body({ state: 7 }), invalid('state')],
    ['null as the state', body({ state: null }), invalid('state')],
    ['a number as the model', body({ model: 7 }), invalid('model')],
    ['null as the model', body({ model: null }), invalid('model')],
    ['null as a setting', body({ x_order_invariant: null }), invalid('x_order_invariant')],
    ['images', body({ assets: { a: { type: 'image', data_base64: 'AAAA' } } }), invalid('assets')],
    ['no type', asking({ instructions: '?' }), missing('questions', 'q', 'type')],
    ['no criteria', asking({ type: 'choice' }), missing('questions', 'q', 'criteria')],
    ['another API’s type', asking({ ...noul, type: 'boolean' }), invalidInQuestion('type')],
    ['a box question', asking({ type: 'box', colour: 'red' }), invalidInQuestion('type')],
    ['a string as a question', asking('urgent?'), invalidInQuestion()],
    ['an unknown field', asking({ ...noul, text: 'urgent?' }), invalidInQuestion('text')],
    ['an unknown side', asking({ ...noul, criteria: { yes: 'y' } }), invalidInQuestion('criteria')],
    ['an array of sides', asking({ ...noul, criteria: ['y', 'n'] }), invalidInQuestion('criteria')],
    ['an empty array of sides', asking({ ...noul, criteria: [] }), invalidInQuestion('criteria')],
    ['a string as the sides', asking({ ...noul, criteria: 'y' }), invalidInQuestion('criteria')],
    ['numeric instructions', asking({ ...noul, instructions: 7 }), invalidInQuestion('instructions')],
    ['no options', asking({ type: 'choice', criteria: {} }), invalidInQuestion('criteria')],
    ['options as an array', asking({ type: 'choice', criteria: ['a'] }), invalidInQuestion('criteria')],
    ['a numeric description', asking({ type: 'choice', criteria: { a: 7 } }), invalidInQuestion('criteria')],
    [
      'levels as a map',
      asking({ type: 'score', criteria: { 0: 'a', 1: 'b' } }),
      invalidInQuestion('criteria'),
    ],
    ['300 levels as a map', asking({ type: 'score', criteria: options(300) }), invalidInQuestion('criteria')],
    ['one level', asking({ type: 'score', criteria: ['a'] }), invalidInQuestion('criteria')],
    [
      'eleven levels',
      asking({ type: 'score', criteria: Array(11).fill('a') }),
      invalidInQuestion('criteria'),
    ],
    ['a null level', asking({ type: 'score', criteria: ['a', null] }), invalidInQuestion('criteria', 1)],
  ])('is refused with %s', (_, sent, expected) => {
    expect(refused(sent)).toEqual(expected)
  })

  it('is refused with the name of an unknown field, and those that a question has', () => {
    expect(refused(asking({ ...noul, instruction: 'urgent?' }))).toHaveProperty('detail', [
      {
        type: 'invalid_schema',
        loc: ['body', 'questions', 'q', 'instruction'],
        msg: 'is not a known field; a question has type, instructions and criteria',
      },
    ])
  })

  it('is refused past 128 questions and past 255 options, naming the limit', () => {
    const questions = Object.fromEntries([...Array(129).keys()].map(id => [id, noul]))
    expect(refused(body({ questions }))).toMatchObject({
      detail: [{ type: 'too_many_questions', loc: ['body', 'questions'] }],
    })
    expect(refused(jsonOf({ questions }))).toMatchObject({
      detail: [{ type: 'missing' }, { type: 'too_many_questions' }],
    })
    expect(refused(asking({ type: 'choice', criteria: options(256) }))).toMatchObject({
      detail: [{ type: 'too_many_options', loc: ['body', 'questions', 'q', 'criteria'] }],
    })
  })

  it('has all its fields at fault listed, each once, in the order in which they are read', () => {
    const questions = {
      a: { type: 'score', instructions: 7, criteria: [7, 8] },
      b: noul,
      c: 'urgent?',
      d: { type: 'choice', instructions: 7 },
      e: { type: 'choice', criteria: { a: 7, b: 7 } },
    }
    const sent = jsonOf({ model: 7, x_order_invariant: 'yes', questions })
    expect(refused(sent)).toEqual({
      status: 422,
      detail: [
        missing('state'),
        invalid('model'),
        invalid('x_order_invariant'),
        invalid('questions', 'a', 'instructions'),
        invalid('questions', 'a', 'criteria', 0),
        invalid('questions', 'c'),
        invalid('questions', 'd', 'instructions'),
        missing('questions', 'd', 'criteria'),
        invalid('questions', 'e', 'criteria'),
      ].flatMap(({ detail }) => detail),
    })
    expect(APIError.fromResponse(422, refused(sent), new Headers())).toHaveProperty(
      'message',
      expect.stringContaining('422 state: is required; model: must be a string; '),
    )
  })

  it('has 20 fields at fault listed and the rest counted', () => {
    const bad = (count: number) => Object.fromEntries([...Array(count).keys()].map(id => [`q${id}`, null]))
    expect(refused(body({ questions: bad(20) }))).toHaveProperty('detail.length', 20)
    for (const count of [21, 128]) {
      const { detail } = refused(body({ questions: bad(count) })) as { detail: unknown[] }
      expect(detail).toHaveLength(21)
      const msg = `has more faults: ${count - 20}`
      expect(detail.at(-1)).toEqual({ type: 'invalid_schema', loc: ['body'], msg })
    }
  })

  it('has of each very long id no more than the beginning, however many are at fault', () => {
    const long = 'a'.repeat(1_024)
    const bad = { type: 'choice', instructions: 7 }
    const { detail } = refused(body({ questions: { [`${long}1`]: bad, [`${long}2`]: bad } })) as {
      detail: { loc: unknown[] }[]
    }
    const [instructions, criteria] = ['instructions', 'criteria'].map(field => [
      ...['body', 'questions', `${long}…`, field],
    ])
    expect(detail.map(({ loc }) => loc)).toEqual([instructions, criteria, instructions, criteria])
  })

  it('is located step by step even if an id contains dots', () => {
    expect(refused(body({ questions: { 'a.b': { type: 'score', criteria: ['x', 7] } } }))).toMatchObject({
      detail: [{ loc: ['body', 'questions', 'a.b', 'criteria', 1] }],
    })
  })

  it('is refused without repeating what was sent', () => {
    const secret = 'SECRET'
    const sent = [
      body({ model: [secret] }),
      asking({ ...noul, weight: secret }),
      asking({ type: secret }),
      asking({ type: 'choice', criteria: { [secret]: 7 } }),
    ]
    for (const one of sent) expect(JSON.stringify(refused(one))).not.toContain(secret)
  })
})

describe('a System One answer', () => {
  const decider: AnswerMetadata = {
    calibrated: true,
    p_top: 0.75,
    abstain: false,
    confidence_winning: 0.75,
    confidence_normalized: 0.5,
  }
  const pair = <Name extends string>(first: Name, second: Name, one = 0.75, other = 0.25) =>
    new Map([
      [first, one],
      [second, other],
    ])
  const decision: Decision = {
    id: 'dec_1',
    model: 'decider-preview-2026-10-13',
    answers: new Map([
      [
        '10',
        {
          type: 'choice',
          choice: '9',
          probabilities: pair('9', '1'),
          logits: pair('9', '1', 1.5, -0.5),
          confidence: 0.5,
          decider,
        },
      ],
      [
        '2',
        {
          type: 'noul',
          noul: 0.25,
          probabilities: pair('false', 'true'),
          logits: pair('false', 'true', 1.5, -0.5),
          decider,
        },
      ],
      [
        'score',
        {
          type: 'score',
          score: 0.25,
          legend: new Map([
            ['0', 'low'],
            ['1', 'high'],
          ]),
          probabilities: pair('0', '1'),
          logits: pair('0', '1', 1.5, -0.5),
          confidence: 0.4,
          decider,
        },
      ],
    ]),
    usage: {
      input_tokens: 120,
      state_tokens: 100,
      question_tokens: 10,
      framing_tokens: 10,
      image_tokens: 0,
      cached_tokens: 100,
      output_tokens: 0,
      cost_usd: 0.000004,
    },
    latencyMs: 12.5,
    warnings: ['unknown field ignored: seed'],
  }

  it('has the fields of System One, and ours prefixed, in the caller’s order', () => {
    const written = compact(systemone.read(body()).write(decision))
    const deciderText =
      '{"calibrated":true,"p_top":0.75,"abstain":false,"confidence_winning":0.75,"confidence_normalized":0.5}'
    expect(written).toBe(
      '{"model":"decider-preview-2026-10-13","answers":{' +
        '"10":{"type":"choice","choice":"9","probabilities":{"9":0.75,"1":0.25},"confidence":0.5,' +
        `"x_logits":{"9":1.5,"1":-0.5},"x_decider":${deciderText}},` +
        '"2":{"type":"noul","noul":0.25,"x_probabilities":{"false":0.75,"true":0.25},' +
        `"x_logits":{"false":1.5,"true":-0.5},"x_decider":${deciderText}},` +
        '"score":{"type":"score","score":0.25,"legend":{"0":"low","1":"high"},' +
        '"probabilities":{"0":0.75,"1":0.25},"confidence":0.4,' +
        `"x_logits":{"0":1.5,"1":-0.5},"x_decider":${deciderText}}},` +
        '"usage":{"input_tokens":120,"output_tokens":0,"x_state_tokens":100,"x_question_tokens":10,' +
        '"x_framing_tokens":10,"x_image_tokens":0,"x_cached_tokens":100,"x_cost_usd":0.000004},' +
        '"x_id":"dec_1","x_latency_ms":12.5,"x_warnings":["unknown field ignored: seed"]}',
    )
  })

  it('has no warnings if there are none', () => {
    const written = systemone.read(body()).write({ ...decision, warnings: [] })
    expect(written.has('x_warnings')).toBe(false)
  })
})

describe('a System One refusal other than 422', () => {
  it.each<[ProblemCode, number, string]>([
    ['missing_api_key', 401, 'authentication_error'],
    ['invalid_api_key', 401, 'authentication_error'],
    ['insufficient_credits', 402, 'billing_error'],
    ['model_not_found', 404, 'api_usage_error'],
    ['not_found', 404, 'not_found'],
    ['method_not_allowed', 405, 'method_not_allowed'],
    ['profile_model_mismatch', 409, 'api_usage_error'],
    ['request_too_large', 413, 'api_usage_error'],
    ['state_too_long', 400, 'max_tokens_exceeded'],
    ['rate_limited', 429, 'rate_limit_error'],
    ['engine_timeout', 503, 'api_error'],
  ])('%s is %i %s', (code, status, errorType) => {
    const { status: actual, body: written } = systemone.refuse(new Problem(code, 'a sentence'))
    expect(actual).toBe(status)
    expect(JSON.parse(compact(written))).toEqual({
      detail: { error_type: errorType, message: 'a sentence', x_code: code },
    })
  })

  it('names the field if one is to blame', () => {
    const problem = new Problem('insufficient_credits', 'x', { param: 'authorization' })
    expect(JSON.parse(compact(systemone.refuse(problem).body)).detail.x_param).toBe('authorization')
  })

  it('names a profile as its own field, x_calibration', () => {
    const problem = new Misfit(['calibration'], 'is not a profile', 'invalid_calibration_profile')
    expect(JSON.parse(compact(systemone.refuse(problem).body))).toMatchObject({
      detail: { message: 'x_calibration is not a profile', x_param: 'x_calibration' },
    })
  })

  it('names any other field by its own name', () => {
    const problem = new Misfit(['state'], 'is too long', 'state_too_long')
    expect(JSON.parse(compact(systemone.refuse(problem).body))).toMatchObject({
      detail: { message: 'state is too long', x_param: 'state' },
    })
  })
})

it('instructions that the core finds too long are located under their question', () => {
  const problem = new Misfit(['questions', 'a.b', 'instructions'], 'must be shorter')
  expect(JSON.parse(compact(systemone.refuse(problem).body))).toMatchObject({
    detail: [{ loc: ['body', 'questions', 'a.b', 'instructions'], msg: 'must be shorter' }],
  })
  const found = tooLong({ kind: 'instructions_too_long', question: 0, limit: 7 }, ['a.b'])
  expect(found && JSON.parse(compact(systemone.refuse(found).body))).toMatchObject({
    detail: [{ loc: ['body', 'questions', 'a.b', 'instructions'], msg: 'must hold at most 7 tokens' }],
  })
})

it('a body that is not JSON is located at its root', () => {
  const problem = new Problem('invalid_schema', 'body is not JSON', { param: 'body' })
  expect(JSON.parse(compact(systemone.refuse(problem).body))).toEqual({
    detail: [{ type: 'invalid_schema', loc: ['body'], msg: 'body is not JSON' }],
  })
})
