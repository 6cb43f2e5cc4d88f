import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { native } from '../dialects/native.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { compact } from '../json/writer.ts'
import { Problem } from '../problem.ts'
import { jsonIn, jsonOf } from '../testing/json.ts'
import { problemOf } from '../testing/problem.ts'
import { readDecisionRequest, requestedModel } from './request.ts'

const read = (body: unknown) => readDecisionRequest(jsonOf(body))
const readText = (text: string) => readDecisionRequest(jsonIn(text))

const refusalOf = (body: unknown) => problemOf(() => read(body))

const noul = { type: 'noul', instructions: 'is it so?' }
const asking = (question: unknown) => ({ state: 's', questions: { q: question } })
const criteriaOf = (question: unknown) => read(asking(question)).questions.get('q')?.criteria
/** In their order, which a comparison of Maps would not see. */
const optionsOf = (question: unknown) => {
  const criteria = criteriaOf(question)
  return criteria instanceof Map ? [...criteria] : null
}

describe('a decision request', () => {
  it('is read with every default', () => {
    expect(read({ state: 's', questions: { q: { type: 'noul' } } })).toEqual({
      state: 's',
      questions: new KeyedByCaller([
        ['q', { type: 'noul', instructions: null, criteria: { true: null, false: null } }],
      ]),
      calibration: null,
      orderInvariant: false,
      warnings: [],
    })
  })

  it('keeps questions and options in the order sent, whatever they are called', () => {
    const { questions } = readText(
      '{"state":0,"questions":{"10":{"type":"choice","criteria":{"9":null,"__proto__":"x","1":{"b":1,"a":2}}},' +
        '"2":{"type":"noul"},"__proto__":{"type":"noul"},"constructor":{"type":"noul"}}}',
    )
    expect([...questions.keys()]).toEqual(['10', '2', '__proto__', 'constructor'])
    const criteria = questions.get('10')?.criteria
    expect(criteria instanceof Map && [...criteria.keys()]).toEqual(['9', '__proto__', '1'])
  })

  it.each(['"text"', '""', '{"a":12345678901234567890}', '[]', '1.0', 'false'])(
    'takes %s as a state',
    state => {
      const request = readText(`{"state":${state},"questions":{"q":{"type":"noul"}}}`)
      expect(compact(request.state)).toBe(state)
    },
  )

  it.each([
    { type: 'choice', criteria: { a: null } },
    { type: 'noul' },
    { type: 'score', criteria: ['a', 'b'] },
  ])('takes a text, an object, an array and null as the instructions of %j', question => {
    for (const instructions of ['text', { a: 1 }, ['a', { b: null }], null]) {
      const { questions } = read(asking({ ...question, instructions }))
      expect(questions.get('q')?.instructions).toEqual(jsonOf(instructions))
    }
  })

  it('takes a choice of one option', () => {
    expect(criteriaOf({ type: 'choice', criteria: { only: null } })).toEqual(new Map([['only', null]]))
  })

  it.each([
    [
      { true: 'yes', false: ['no'] },
      { true: 'yes', false: ['no'] },
    ],
    [{ false: 'no' }, { true: null, false: 'no' }],
    [{ true: null }, { true: null, false: null }],
    [null, { true: null, false: null }],
  ])('takes %j as the two sides of a noul', (criteria, sides) => {
    expect(criteriaOf({ type: 'noul', criteria })).toEqual(sides)
  })

  it('names unknown top-level fields in its warnings', () => {
    const { warnings } = read({ ...asking(noul), temperature: 1, '': 2 })
    expect(warnings).toEqual(['unknown field ignored: temperature', 'unknown field ignored: '])
  })

  it('names no more than the beginning of an unknown field with a very long name', () => {
    const { warnings } = read({ ...asking(noul), ['a'.repeat(1_000_000)]: 1 })
    expect(warnings).toEqual([`unknown field ignored: ${'a'.repeat(1_024)}…`])
  })

  it('is told the name here of a field that another path prefixes', () => {
    expect(read({ ...asking(noul), x_calibration: null }).warnings).toEqual([
      'unknown field ignored: x_calibration; here it is calibration',
    ])
  })
})

describe('aliases', () => {
  it('input is read as state; state wins, with a warning', () => {
    expect(read({ input: 'i', questions: { q: noul } })).toMatchObject({ state: 'i', warnings: [] })
    const both = read({ input: 'i', ...asking(noul) })
    expect([both.state, both.warnings]).toEqual(['s', ['input was ignored because state is given']])
  })

  it('questions as an array are keyed by id or name', () => {
    const { questions } = read({
      state: 's',
      questions: [
        { id: 'b', ...noul },
        { name: 'a', ...noul },
      ],
    })
    expect([...questions.keys()]).toEqual(['b', 'a'])
  })

  it.each(['predicate', 'boolean'])('type %s is noul', type => {
    expect(read(asking({ type })).questions.get('q')?.type).toBe('noul')
  })

  it('text is read as instructions', () => {
    expect(read(asking({ type: 'noul', text: 't' })).questions.get('q')?.instructions).toBe('t')
  })

  it.each([
    [{ type: 'noul', text: null, instructions: 'i' }, 'i', undefined],
    [{ type: 'noul', instructions: 'i', text: null, criteria: null, options: null }, 'i', undefined],
    [{ type: 'choice', choices: null, levels: null, options: ['a'], criteria: null }, null, ['a']],
  ])('a null beside its other name says nothing: %j', (question, instructions, options) => {
    const asked = read(asking(question)).questions.get('q')
    expect(asked?.instructions ?? null).toBe(instructions)
    const criteria = asked?.criteria
    expect(criteria instanceof Map ? [...criteria.keys()] : undefined).toEqual(options)
  })

  it('a null id beside a name says nothing', () => {
    const sent = [
      { id: null, name: 'a', ...noul },
      { id: 'b', name: null, ...noul },
    ]
    expect([...read({ state: 's', questions: sent }).questions.keys()]).toEqual(['a', 'b'])
  })

  it('options are read as criteria without descriptions', () => {
    expect(optionsOf({ type: 'choice', options: ['2', '1'] })).toEqual([
      ['2', null],
      ['1', null],
    ])
  })

  it('choices are read as criteria, their values strings or booleans, their descriptions optional', () => {
    const choices = [{ value: 'a', description: 'A' }, { value: 'b' }, { value: true, description: null }]
    expect(optionsOf({ type: 'choice', choices })).toEqual([
      ['a', 'A'],
      ['b', null],
      ['true', null],
    ])
  })

  it('levels are read as criteria, their descriptions optional', () => {
    expect(
      criteriaOf({ type: 'score', levels: [{ label: 'low', description: 'bad' }, { label: 'high' }] }),
    ).toEqual(['low: bad', 'high'])
  })
})

describe('the model a body asks for', () => {
  it.each([
    ['decider', { model: 'decider', questions: 7 }],
    ['decider-1', { state: 's' }],
    ['decider-1', { model: 7 }],
    ['decider-1', ['decider']],
  ])('is %s if %j was sent', (model, body) => {
    expect(requestedModel(jsonOf(body))).toBe(model)
  })
})

describe('a decision request is refused as invalid_schema', () => {
  it.each<[string, unknown]>([
    ['body', []],
    ['body', 'text'],
    ['state', { questions: { q: noul } }],
    ['state', { state: null, questions: { q: noul } }],
    ['state', { state: null, input: 'i', questions: { q: noul } }],
    ['model', { ...asking(noul), model: 1 }],
    ['model', { ...asking(noul), model: null }],
    ['calibration', { ...asking(noul), calibration: 1 }],
    ['order_invariant', { ...asking(noul), order_invariant: 'true' }],
    ['order_invariant', { ...asking(noul), order_invariant: null }],
    ['questions', { state: 's' }],
    ['questions', { state: 's', questions: {} }],
    ['questions', { state: 's', questions: [] }],
    ['questions', { state: 's', questions: 'q' }],
    ['questions.0', { state: 's', questions: ['q'] }],
    ['questions.0', { state: 's', questions: [noul] }],
    ['questions.0', { state: 's', questions: [{ id: 7, ...noul }] }],
    ['questions.0', { state: 's', questions: [{ id: 'a', name: 'b', ...noul }] }],
    [
      'questions',
      {
        state: 's',
        questions: [
          { id: 'a', ...noul },
          { name: 'a', ...noul },
        ],
      },
    ],
    ['questions.q', asking('noul')],
    ['questions.q.type', asking({})],
    ['questions.q.type', asking({ type: 'yesno' })],
    ['questions.q.type', asking({ type: ['noul'] })],
    ['questions.q.instructions', asking({ type: 'noul', instructions: 3 })],
    ['questions.q.instructions', asking({ type: 'noul', instructions: 'a', text: 'b' })],
    ['questions.q.id', asking({ type: 'noul', id: 'q' })],
    ['questions.q.constructor', asking({ type: 'noul', constructor: 'q' })],
    ['questions.q.__proto__', asking(JSON.parse('{"type":"noul","__proto__":1}'))],
    ['questions.q.criteria', asking({ type: 'noul', criteria: [] })],
    ['questions.q.criteria', asking({ type: 'noul', criteria: { yes: 'y' } })],
    ['questions.q.criteria', asking({ type: 'noul', criteria: { constructor: 'y' } })],
    ['questions.q.criteria.true', asking({ type: 'noul', criteria: { true: 1 } })],
    ['questions.q.criteria', asking({ type: 'choice' })],
    ['questions.q.criteria', asking({ type: 'choice', criteria: null })],
    ['questions.q.criteria', asking({ type: 'choice', criteria: ['a', 'b'] })],
    ['questions.q.criteria', asking({ type: 'choice', criteria: {} })],
    ['questions.q.criteria', asking({ type: 'choice', criteria: { a: 1 } })],
    ['questions.q.criteria', asking({ type: 'choice', criteria: { a: null }, options: ['a'] })],
    ['questions.q.options', asking({ type: 'choice', options: ['a', 'a'] })],
    ['questions.q.options', asking({ type: 'choice', options: { a: null } })],
    ['questions.q.options.1', asking({ type: 'choice', options: ['a', 1] })],
    ['questions.q.options.1', asking({ type: 'choice', options: ['a', true] })],
    ['questions.q.choices.0', asking({ type: 'choice', choices: ['a'] })],
    ['questions.q.choices.0.weight', asking({ type: 'choice', choices: [{ value: 'a', weight: 1 }] })],
    ['questions.q.choices.0.value', asking({ type: 'choice', choices: [{ value: 1 }] })],
    ['questions.q.choices.0.value', asking({ type: 'choice', choices: [{ description: 'a' }] })],
    ['questions.q.choices', asking({ type: 'choice', choices: [{ value: 'true' }, { value: true }] })],
    ['questions.q.criteria', asking({ type: 'choice', choices: [{ value: 'a', description: true }] })],
    ['questions.q.criteria', asking({ type: 'score' })],
    ['questions.q.criteria', asking({ type: 'score', criteria: { '0': 'a', '1': 'b' } })],
    ['questions.q.criteria', asking({ type: 'score', criteria: ['a'] })],
    ['questions.q.criteria', asking({ type: 'score', criteria: Array(11).fill('a') })],
    ['questions.q.criteria.1', asking({ type: 'score', criteria: ['a', null] })],
    ['questions.q.levels.0.label', asking({ type: 'score', levels: [{ label: 1 }] })],
    [
      'questions.q.levels.0.description',
      asking({ type: 'score', levels: [{ label: 'a', description: {} }] }),
    ],
  ])('at %s: %j', (param, body) => {
    const refusal = refusalOf(body)
    expect(refusal).toMatchObject({ code: 'invalid_schema', param })
    expect(refusal.message.startsWith(`${param} `)).toBe(true)
  })

  it('at a field that no question has, naming it and those that a question has', () => {
    expect(refusalOf(asking({ type: 'noul', instruction: 'CANARY' })).message).toBe(
      'questions.q.instruction is not a known field; a question has type, instructions and criteria',
    )
  })

  it('below a very long id, of which it names the beginning', () => {
    const { message, param } = refusalOf({
      state: 's',
      questions: { ['a'.repeat(1_000_000)]: { type: 'nothing' } },
    })
    expect(param).toBe(`questions.${'a'.repeat(1_024)}….type`)
    expect(message.length).toBeLessThan(1_200)
    const whole = 'https://shop.example/'.padEnd(1_024, '0')
    expect(refusalOf({ state: 's', questions: { [whole]: { type: 'nothing' } } }).param).toBe(
      `questions.${whole}.type`,
    )
  })

  it('at a field with a very long name, of which it names the beginning', () => {
    const { message, param } = refusalOf(asking({ type: 'noul', [`${'a'.repeat(1_023)}😀b`]: 1 }))
    expect(param).toBe(`questions.q.${'a'.repeat(1_023)}\ufffd…`)
    expect(message.startsWith(`${param} is not a known field`)).toBe(true)
  })

  it.each([
    ['no state', { questions: { q: noul } }, 'state is required'],
    [
      'a state that is null',
      { state: null, questions: { q: noul } },
      'state must be a string, an object, an array, a number or a boolean',
    ],
    [
      'a question without an id',
      { state: 's', questions: noul },
      'questions.type must be a question, an object: questions maps an id of your choice to each question',
    ],
    [
      'a question without a type',
      asking({ instructions: 'x' }),
      'questions.q.type is required; it is one of choice, noul (yes or no), score',
    ],
    [
      'a type that is none',
      asking({ type: null }),
      'questions.q.type must be one of choice, noul (yes or no), score',
    ],
    [
      'options that are an object',
      asking({ type: 'choice', options: { a: null } }),
      'questions.q.options must be an array of strings; send options with descriptions as criteria',
    ],
    [
      'instructions that are a number',
      asking({ type: 'noul', instructions: 5 }),
      'questions.q.instructions must be a string, an object or an array',
    ],
    [
      'a level that is null',
      asking({ type: 'score', criteria: ['a', null] }),
      'questions.q.criteria.1 must be a string, an object or an array',
    ],
  ])('at %s, and tells the rule', (_, body, message) => {
    expect(refusalOf(body).message).toBe(message)
  })

  it.each(['choice', 'score'])('at the criteria of a %s that has none, and says so', type => {
    expect(refusalOf(asking({ type })).message).toBe('questions.q.criteria is required')
  })

  it('at criteria whose descriptions are at fault, and says so', () => {
    const { message } = refusalOf(asking({ type: 'choice', criteria: { a: null, b: 1 } }))
    expect(message).toBe(
      'questions.q.criteria (each value that is not null) must be a string, an object or an array',
    )
  })
})

describe('a decision request is refused for its size', () => {
  const many = (count: number, one: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, one]))

  it('past 128 questions, before anything in them is looked at', () => {
    expect(refusalOf({ state: 's', questions: many(129, 'nonsense') })).toMatchObject({
      code: 'too_many_questions',
      param: 'questions',
    })
    expect(read({ state: 's', questions: many(128, noul) }).questions.size).toBe(128)
  })

  it('past 1,024 options, before anything else in the questions is looked at', () => {
    const options = Object.keys(many(1_025, null))
    for (const large of [
      { criteria: many(1_025, 7) },
      { options },
      { choices: options.map(value => ({ value })) },
    ]) {
      expect(
        refusalOf({ state: 's', questions: { bad: { type: 'nonsense' }, q: { type: 'choice', ...large } } }),
      ).toMatchObject({ code: 'too_many_options', param: 'questions.q.criteria' })
    }
    expect(criteriaOf({ type: 'choice', criteria: many(1_024, null) })).toHaveProperty('size', 1_024)
  })

  it('but not for the ten levels that a score may have', () => {
    expect(criteriaOf({ type: 'score', criteria: Array(10).fill('level') })).toHaveLength(10)
  })

  it('but not if the many options are not those of a choice, or come as an array', () => {
    for (const large of [
      { type: 'noul', criteria: many(1_025, null) },
      { type: 'score', levels: Object.keys(many(1_025, null)).map(label => ({ label })) },
      { type: 'choice', criteria: Array(1_025).fill('a') },
    ]) {
      expect(refusalOf(asking(large))).toMatchObject({
        code: 'invalid_schema',
        param: 'questions.q.criteria',
      })
    }
  })
})

describe('a refusal never quotes what was sent', () => {
  const canary = fc.stringMatching(/^[a-z0-9]{6,12}$/).map(text => `canary-${text}`)
  const value: fc.Arbitrary<unknown> = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      canary,
      fc.constantFrom(null, true, 7, 'choice', 'noul', 'score'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.oneof(
          canary,
          fc.constantFrom('type', 'instructions', 'text', 'criteria', 'options', 'choices', 'levels'),
          fc.constantFrom('value', 'label', 'description', 'true', 'false', 'id', 'name'),
        ),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value
  const question = fc.record(
    {
      type: fc.oneof(fc.constantFrom('choice', 'noul', 'score'), value),
      instructions: value,
      criteria: value,
      options: fc.array(value, { maxLength: 3 }),
      choices: fc.array(fc.record({ value, description: value }, { requiredKeys: [] }), { maxLength: 3 }),
      levels: fc.array(fc.record({ label: value, description: value }, { requiredKeys: [] }), {
        maxLength: 3,
      }),
    },
    { requiredKeys: ['type'] },
  )
  const body = fc.record(
    {
      state: value,
      questions: fc.oneof(value, fc.dictionary(fc.constant('q'), fc.oneof(question, value), { minKeys: 1 })),
      model: value,
      calibration: value,
      order_invariant: value,
    },
    { requiredKeys: [] },
  )

  it('except for the ids of its questions and the names of their fields', () => {
    let refused = 0
    fc.assert(
      fc.property(body, sent => {
        try {
          read(sent)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          refused++
          const names = isRecord(sent.questions) ? namesIn(sent.questions) : []
          const told = names.reduce(
            (text, name) => text.replaceAll(name, ''),
            compact(native.refuse(error).body),
          )
          expect(told).not.toContain('canary')
        }
      }),
      { numRuns: 3_000, examples: [[{ state: {}, questions: [{ id: 'canary-a000a0' }] }]] },
    )
    expect(refused).toBeGreaterThan(1_000)
  })
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
/** The longest first: removing a short one from within a long one would leave a remainder that is no name. */
const namesIn = (questions: Record<string, unknown>): string[] =>
  [
    ...(Array.isArray(questions) ? [] : Object.keys(questions)),
    ...Object.values(questions).flatMap(question =>
      isRecord(question) ? [question.id, question.name, ...fieldsIn(question)] : [],
    ),
  ]
    .filter(name => typeof name === 'string')
    .toSorted((a, b) => b.length - a.length)
const fieldsIn = (question: Record<string, unknown>): string[] => [
  ...Object.keys(question),
  ...[question.choices, question.levels].flatMap(items =>
    Array.isArray(items) ? items.filter(isRecord).flatMap(Object.keys) : [],
  ),
]
