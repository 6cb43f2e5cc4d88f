import { describe, expect, it } from 'vitest'
import { unit } from '../../testing/scorer.ts'
import { readScoreRequest } from './score-request.ts'

const read = (value: unknown) =>
  readScoreRequest(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const choice = (options: unknown) => ({
  units: [unit({ questions: [{ type: 'choice', instructions: null, options }] as never })],
})
const score = (levels: number) => ({
  units: [unit({ questions: [{ type: 'score', instructions: null, levels: Array(levels).fill('level') }] })],
})

describe('a request to score', () => {
  it('is read as it was sent, including the order of its options', () => {
    const options = [
      ['10', null],
      ['2', 'two'],
      ['__proto__', null],
    ]
    const sent = choice(options)
    expect(read(sent)).toEqual(sent)
  })

  it.each<[string, unknown]>([
    ['128 questions', { units: [unit({ questions: Array(128).fill(unit().questions[1]) })] }],
    ['1,024 options', choice(Array(1_024).fill(['a', null]))],
    ['one option', choice([['a', null]])],
    ['10 levels', score(10)],
    ['2 levels', score(2)],
    ['1,024 units', { units: Array(1_024).fill(unit()) }],
  ])('may hold %s', (_, sent) => {
    expect(read(sent)).toEqual(sent)
  })

  it.each<[string, unknown, string]>([
    ['invalid JSON', '[', 'body must be JSON in UTF-8'],
    [
      '129 questions',
      { units: [unit({ questions: Array(129).fill(unit().questions[1]) })] },
      'units.0.questions',
    ],
    ['no question', { units: [unit({ questions: [] })] }, 'units.0.questions'],
    ['1,025 options', choice(Array(1_025).fill(['a', null])), 'units.0.questions.0.options'],
    ['no option', choice([]), 'units.0.questions.0.options'],
    ['11 levels', score(11), 'units.0.questions.0.levels'],
    ['one level', score(1), 'units.0.questions.0.levels'],
    ['nothing', {}, 'units'],
    ['no unit', { units: [] }, 'units'],
    ['an option of three items', choice([['a', null, 'b']]), 'units.0.questions.0.options.0.2'],
    ['an option that is not a pair', choice([{}]), 'units.0.questions.0.options.0'],
    [
      'an unknown type',
      { units: [unit({ questions: [{ type: 'image' }] as never })] },
      'units.0.questions.0.type',
    ],
    [
      'an unknown form',
      { units: [unit({ state: { form: 'xml' as never, text: '' } })] },
      'units.0.state.form',
    ],
    [
      'a text that is none',
      { units: [unit({ state: { form: 'text', text: 1 as never } })] },
      'units.0.state.text',
    ],
    ['a snapshot that is no name', { units: [unit({ snapshot: 1 as never })] }, 'units.0.snapshot'],
    ['a wrong flag', { units: [unit({ checkOnly: 1 as never })] }, 'units.0.checkOnly'],
    [
      'one side',
      { units: [unit({ questions: [{ type: 'noul', instructions: null, sides: [null] }] as never })] },
      'units.0.questions.0.sides.1',
    ],
    [
      'a level without a text',
      { units: [unit({ questions: [{ type: 'score', instructions: null, levels: ['a', null] }] as never })] },
      'units.0.questions.0.levels.1',
    ],
    ['an option without a name', choice([[null, null]]), 'units.0.questions.0.options.0.0'],
    ['an empty tenant', { units: [unit({ tenant: '' })] }, 'units.0.tenant'],
    ['1,025 units', { units: Array(1_025).fill(unit()) }, 'units'],
  ])('with %s is refused, naming the place', (_, sent, place) => {
    const message = place.includes(' ') ? place : `${place} breaks the protocol`
    expect(read(sent)).toEqual({ error: 'bad_request', message })
  })

  it('is refused if it is not UTF-8', () => {
    const message = 'body must be JSON in UTF-8'
    expect(readScoreRequest(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ error: 'bad_request', message })
  })
})
