import { describe, expect, it } from 'vitest'
import { jsonIn } from '../testing/json.ts'
import { problemOf } from '../testing/problem.ts'
import { readCalibrationRequest } from './request.ts'

const CHOICE = { type: 'choice', instructions: 'Which team?', criteria: { billing: null, other: 'Anything' } }
const NOUL = { type: 'noul', instructions: 'Is it urgent?' }
const SCORE = { type: 'score', criteria: ['calm', 'upset', 'furious'] }

const example = (index: number): Record<string, unknown> => ({
  state: `ticket ${index}`,
  questions: { team: { ...CHOICE, label: index % 2 === 0 ? 'billing' : 'other' } },
})
const examples = (count = 200) => Array.from({ length: count }, (_, index) => example(index))
/** 200 valid examples, one of which has this question instead of its own. */
const withQuestion = (question: object) => examples().with(12, { state: 'x', questions: { q: question } })

const read = (body: unknown) =>
  readCalibrationRequest(jsonIn(typeof body === 'string' ? body : JSON.stringify(body)))
const refusal = (body: unknown): { code: string; param: string | undefined } => {
  const { code, param } = problemOf(() => read(body))
  return { code, param }
}
const signatureIn = (question: object) =>
  read({
    examples: Array.from({ length: 200 }, () => ({ state: 1, questions: { q: question } })),
  }).examples[0]?.questions.get('q')?.asked.signature

describe('a calibration request', () => {
  it('is read with its defaults', () => {
    const request = read({ examples: examples() })
    expect(request).toMatchObject({ targetError: 0.05, offsets: false, curves: false, warnings: [] })
    expect(request.examples).toHaveLength(200)
    expect(request.examples[1]?.state).toBe('ticket 1')
    expect(request.examples[1]?.questions.get('team')?.label).toEqual({ name: 'other', index: 1 })
  })

  it('may name a model, and ask for offsets and curves', () => {
    const request = read({ examples: examples(), model: 'decider-1', offsets: true, curves: true })
    expect(request).toMatchObject({ offsets: true, curves: true, warnings: [] })
  })

  it('may hold 200 to 5,000 examples', () => {
    expect(refusal({ examples: examples(199) })).toEqual({ code: 'too_few_examples', param: 'examples' })
    expect(refusal({ examples: [] })).toEqual({ code: 'too_few_examples', param: 'examples' })
    expect(read({ examples: examples(5_000) }).examples).toHaveLength(5_000)
    expect(refusal({ examples: examples(5_001) })).toEqual({ code: 'too_many_examples', param: 'examples' })
    expect(() => read({ examples: examples(199) })).toThrow('must hold at least 200 examples, not 199')
    expect(() => read({ examples: examples(5_001) })).toThrow('must hold at most 5000 examples')
  })

  it('has its examples counted before anything else is looked at', () => {
    expect(refusal({ examples: Array(199).fill(null), target_error: 9 }).code).toBe('too_few_examples')
    expect(refusal({ examples: Array(5_001).fill(null) }).code).toBe('too_many_examples')
  })

  it.each([[['q']], [['q', 'again']]])('needs a question that 50 examples label, under the ids %j', ids => {
    const distinct = (index: number) => ({
      state: index,
      questions: Object.fromEntries(
        ids.map(id => [id, { ...NOUL, instructions: `Is it ${index % 5}?`, label: true }]),
      ),
    })
    const spread = (count: number) => ({
      examples: Array.from({ length: count }, (_, index) => distinct(index)),
    })
    expect(refusal(spread(245))).toEqual({ code: 'too_few_examples_per_question', param: 'examples' })
    expect(() => read(spread(245))).toThrow('at least 50 examples must label the same question')
    expect(read(spread(246)).examples).toHaveLength(246)
  })

  it.each([0, 0.5, 0.50001, 1, -0.05, '0.05', null, true, [], {}])(
    'refuses a target_error of %j',
    target_error => {
      expect(refusal({ examples: examples(), target_error })).toEqual({
        code: 'invalid_schema',
        param: 'target_error',
      })
    },
  )

  it.each(['0.050', '5e-2', '0.499999', '1e-300'])('reads a target_error of %s', target => {
    expect(read(`{"examples":${JSON.stringify(examples())},"target_error":${target}}`).targetError).toBe(
      Number(target),
    )
  })

  it.each([
    [null, 'body'],
    [[], 'body'],
    [{}, 'examples'],
    [{ examples: {} }, 'examples'],
    [{ examples: 'many' }, 'examples'],
    [{ examples: examples(), model: 1 }, 'model'],
    [{ examples: examples(), model: null }, 'model'],
    [{ examples: examples(), curves: 'yes' }, 'curves'],
    [{ examples: examples(), offsets: 'yes' }, 'offsets'],
    [{ examples: examples().with(3, 'x' as never) }, 'examples.3'],
    [{ examples: examples().with(3, null as never) }, 'examples.3'],
    [{ examples: examples().with(3, [] as never) }, 'examples.3'],
    [{ examples: examples().with(3, {}) }, 'examples.3.state'],
    [{ examples: examples().with(3, { state: null, questions: {} }) }, 'examples.3.state'],
    [{ examples: examples().with(3, { state: 'x' }) }, 'examples.3.questions'],
    [{ examples: examples().with(3, { state: 'x', questions: {} }) }, 'examples.3.questions'],
    [{ examples: examples().with(3, { state: 'x', questions: [] }) }, 'examples.3.questions'],
    [{ examples: examples().with(3, { state: 'x', questions: null }) }, 'examples.3.questions'],
  ])('refuses invalid body %# and names the field', (body, param) => {
    expect(refusal(body)).toEqual({ code: 'invalid_schema', param })
  })

  it('refuses more questions than an example may have', () => {
    const questions = Object.fromEntries(
      Array.from({ length: 129 }, (_, index) => [`q${index}`, { ...NOUL, label: true }]),
    )
    const sent = { examples: examples().with(3, { state: 'x', questions }).with(4, {}) }
    expect(refusal(sent)).toEqual({ code: 'too_many_questions', param: 'examples.3.questions' })
    // The other example at fault is not counted: of a larger body, not all examples would have been read.
    expect(() => read(sent)).toThrow(/must hold at most 128 questions$/)
  })

  it('lists top-level fields it does not know', () => {
    expect(read({ examples: examples(), seed: 1 }).warnings).toEqual(['unknown field ignored: seed'])
  })
})

describe('a label', () => {
  it.each<[string, object]>([
    ['a choice without one', CHOICE],
    ['a choice outside the options', { ...CHOICE, label: 'sales' }],
    ['a choice by number', { ...CHOICE, label: 0 }],
    ['a choice of null', { ...CHOICE, label: null }],
    ['a choice named like a property', { ...CHOICE, label: 'constructor' }],
    ['a noul without one', NOUL],
    ['a noul as a word', { ...NOUL, label: 'true' }],
    ['a noul as a number', { ...NOUL, label: 1 }],
    ['a score without one', SCORE],
    ['a score below its levels', { ...SCORE, label: -1 }],
    ['a score above its levels', { ...SCORE, label: 3 }],
    ['a fraction of a score', { ...SCORE, label: 1.5 }],
    ['a score as a word', { ...SCORE, label: '1' }],
    ['a score as a boolean', { ...SCORE, label: true }],
    ['a score as a list', { ...SCORE, label: [1] }],
  ])('is refused: %s', (_, question) => {
    expect(refusal({ examples: withQuestion(question) })).toEqual({
      code: 'invalid_schema',
      param: 'examples.12.questions.q.label',
    })
  })

  it.each([
    [CHOICE, 'is required'],
    [{ ...CHOICE, label: 0 }, 'must be a string, one of the keys of criteria'],
    [{ ...CHOICE, label: 'sales' }, 'must be one of the keys of criteria'],
    [{ ...SCORE, label: 3 }, 'must be an integer from 0 to 2, the highest level'],
  ])('is told what it must be: %j', (question, rule) => {
    expect(() => read({ examples: withQuestion(question) })).toThrow(`examples.12.questions.q.label ${rule}`)
  })

  it.each([
    [1, 'examples.0.questions.q.label must be true or false'],
    [3, 'examples.0.questions.q.label must be true or false; other examples at fault: 2'],
  ])('is refused with a count of the other examples at fault, if any: %i in all', (count, message) => {
    const wrong = Array(count).fill({ state: 'x', questions: { q: { ...NOUL, label: 'yes' } } })
    expect(() => read({ examples: [...wrong, ...examples()] })).toThrow(expect.objectContaining({ message }))
  })

  it('never appears in the message that refuses it', () => {
    try {
      read({ examples: withQuestion({ ...CHOICE, label: 'CANARY' }) })
      expect.fail('was read')
    } catch (error) {
      expect(String(error)).not.toContain('CANARY')
    }
  })

  it.each<[object, { name: string; index: number }]>([
    [
      { ...CHOICE, label: 'other' },
      { name: 'other', index: 1 },
    ],
    [
      { ...NOUL, label: true },
      { name: 'true', index: 0 },
    ],
    [
      { ...NOUL, label: false },
      { name: 'false', index: 1 },
    ],
    [
      { ...SCORE, label: 0 },
      { name: '0', index: 0 },
    ],
    [
      { ...SCORE, label: 2 },
      { name: '2', index: 2 },
    ],
  ])('gives the position of the right logit: %j', (question, label) => {
    expect(read({ examples: withQuestion(question) }).examples[12]?.questions.get('q')?.label).toEqual(label)
  })

  it('of a score may be an integer in any spelling', () => {
    const body = JSON.stringify({ examples: withQuestion({ ...SCORE, label: 'HERE' }) })
    for (const spelling of ['2.0', '2e0', '-0']) {
      const { examples } = read(body.replace('"HERE"', spelling))
      expect(Object.is(examples[12]?.questions.get('q')?.label.index, Number(spelling) + 0)).toBe(true)
    }
  })

  it('is among the fields that a refusal of an unknown one lists', () => {
    expect(() => read({ examples: withQuestion({ ...NOUL, lable: true }) })).toThrow(
      'examples.12.questions.q.lable is not a known field; a question has type, instructions, criteria and label',
    )
  })

  it('is not one of the question’s own fields, which are still checked', () => {
    expect(refusal({ examples: withQuestion({ ...NOUL, label: true, weight: 2 }) })).toEqual({
      code: 'invalid_schema',
      param: 'examples.12.questions.q.weight',
    })
    expect(refusal({ examples: withQuestion({ ...CHOICE, criteria: ['a'], label: 'a' }) })).toEqual({
      code: 'invalid_schema',
      param: 'examples.12.questions.q.criteria',
    })
  })
})

describe('the same question', () => {
  it('has one signature in every spelling of the request', () => {
    const criteria = { billing: null, other: 'Anything' }
    const spellings = [
      { type: 'choice', instructions: 'Which team?', criteria },
      { criteria, instructions: 'Which team?', type: 'choice' },
      { type: 'choice', text: 'Which team?', criteria: { other: 'Anything', billing: null } },
      {
        type: 'choice',
        text: 'Which team?',
        choices: [{ value: 'other', description: 'Anything' }, { value: 'billing' }],
      },
    ].map(question => signatureIn({ ...question, label: 'billing' }))
    expect(new Set(spellings).size).toBe(1)
    const nouls = ['noul', 'predicate', 'boolean'].flatMap(type => [
      signatureIn({ type, instructions: 'Is it?', label: true }),
      signatureIn({ type, text: 'Is it?', criteria: null, label: true }),
      signatureIn({ type, text: 'Is it?', criteria: { true: null }, label: false }),
    ])
    expect(new Set(nouls).size).toBe(1)
    const scores = [
      signatureIn({ type: 'score', criteria: ['calm: at ease', 'furious'], label: 0 }),
      signatureIn({
        type: 'score',
        levels: [{ label: 'calm', description: 'at ease' }, { label: 'furious' }],
        label: 1,
      }),
    ]
    expect(new Set(scores).size).toBe(1)
  })

  it('is one object, however often it is asked', () => {
    const { examples: all } = read({ examples: examples() })
    expect(new Set(all.map(({ questions }) => questions.get('team')?.asked)).size).toBe(1)
  })

  it('may have other ids and come in a list', () => {
    const listed = examples().map(one => ({
      input: one.state,
      questions: [{ id: 'anything', ...CHOICE, label: 'other' }],
    }))
    const request = read({ examples: listed })
    expect(request.examples[7]?.state).toBe('ticket 7')
    expect(request.examples[7]?.questions.get('anything')?.asked.signature).toBe(
      signatureIn({ ...CHOICE, label: 'other' }),
    )
  })
})
