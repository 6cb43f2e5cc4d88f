import { describe, expect, it } from 'vitest'
import { jsonIn } from '../../../src/testing/json.ts'
import { type Draft, draftsOf, newOption, withField } from './draft.ts'
import { missingIn, type OnDesk, writeRequest } from './request.ts'

const drafts = (text: string): Draft[] => draftsOf(jsonIn(text)) ?? []

const asked = (more: Partial<OnDesk> = {}): OnDesk => ({
  state: { form: 'text', text: 'He said "no".' },
  questions: { form: 'form', drafts: drafts('{"a":{"type":"noul"}}') },
  model: '',
  calibration: '',
  orderInvariant: false,
  ...more,
})

describe('writing a request', () => {
  it('quotes a text state and leaves out what is not set', () => {
    expect(writeRequest(asked())).toMatchObject({
      body: '{"state":"He said \\"no\\".","questions":{"a":{"type":"noul"}}}',
    })
  })

  it('sends half a surrogate pair as it is shown, in the state and in questions', () => {
    const [statement] = drafts('{"a":{"type":"noul"}}')
    if (statement?.kind !== 'noul') throw new Error('expected a statement')
    const cut = { ...statement, fields: withField(statement.fields, 'instructions', 'It is \ud83d') }
    const written = writeRequest(
      asked({ state: { form: 'text', text: '\ude00!' }, questions: { form: 'form', drafts: [cut] } }),
    )
    expect(written).toMatchObject({
      body: '{"state":"\ufffd!","questions":{"a":{"type":"noul","instructions":"It is \ufffd"}}}',
    })
  })

  it('sends JSON as it was written, digits, spaces and order included', () => {
    const state = '{"10": 1.0, "2": 12345678901234567890}'
    const questions = '{ "b": {"type":"noul"}, "a": {"type":"noul"} }'
    const written = writeRequest(
      asked({ state: { form: 'json', text: state }, questions: { form: 'json', text: questions } }),
    )
    expect(written).toMatchObject({ body: `{"state":${state},"questions":${questions}}` })
  })

  it('sends the switches that are on', () => {
    const written = writeRequest(asked({ model: 'decider', calibration: 'calp1.k.b', orderInvariant: true }))
    expect(written).toMatchObject({
      body: '{"state":"He said \\"no\\".","questions":{"a":{"type":"noul"}},"model":"decider","calibration":"calp1.k.b","order_invariant":true}',
    })
  })

  it('says where JSON breaks', () => {
    expect(writeRequest(asked({ state: { form: 'json', text: '{"a": }' } }))).toMatchObject({
      kind: 'mistake',
      param: 'state',
      at: 6,
    })
    expect(writeRequest(asked({ questions: { form: 'json', text: '{' } }))).toMatchObject({
      kind: 'mistake',
      param: 'questions',
    })
  })

  it('loses no question and no option to a repeated name', () => {
    const [one] = drafts('{"a":{"type":"choice","criteria":{"x":null}}}')
    if (one?.kind !== 'choice') throw new Error('expected a choice')
    const twice = { ...one, options: [newOption('x'), newOption('y'), newOption('x')] }
    expect(writeRequest(asked({ questions: { form: 'form', drafts: [one, one] } }))).toMatchObject({
      param: 'questions.a',
    })
    expect(writeRequest(asked({ questions: { form: 'form', drafts: [twice] } }))).toMatchObject({
      param: 'questions.a.criteria',
      message: 'Options 1 and 3 have the same name.',
    })
  })
})

describe('what is still to be written', () => {
  const missing = (questions: string, state = 'A text') =>
    missingIn({
      state: { form: 'text', text: state },
      questions: { form: 'form', drafts: drafts(questions) },
    })

  it.each([
    ['the state is empty', '{"a":{"type":"noul","instructions":"It rains"}}', ' \n'],
    ['a question has no instructions', '{"a":{"type":"noul","instructions":" "}}'],
    ['a question has no instructions', '{"a":{"type":"noul"}}'],
    [
      'an option has no name',
      '{"a":{"type":"choice","instructions":"Which?","criteria":{"":null,"b":null}}}',
    ],
    ['a level is empty', '{"a":{"type":"score","instructions":"How much?","criteria":["none",""]}}'],
    ['a level is empty', '{"a":{"type":"score","criteria":["none",null]}}'],
  ])('is named: %s', (what, questions, state?: string) => {
    expect(missing(questions, state)).toBe(what)
  })

  it('is nothing where all is written, or where the form cannot tell', () => {
    expect(missing('{"a":{"type":"choice","instructions":"Which?","criteria":{"b":null}}}')).toBe(null)
    expect(missing('{"a":{"type":"choice","criteria":{"b":null}}}')).toBe(null)
    expect(missing('{"a":{"type":"score","criteria":["none",{"what":"all"}]}}')).toBe(null)
    expect(missing('{"a":{"type":"noul","instructions":["It","rains"]}}')).toBe(null)
    expect(missing('{"a":{"type":"predicate","text":"It rains"}}')).toBe(null)
    expect(missingIn({ ...asked(), questions: { form: 'json', text: '{"a":{"type":"noul"}}' } })).toBe(null)
  })
})
