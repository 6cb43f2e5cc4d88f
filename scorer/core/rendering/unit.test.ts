import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScoreUnit, UnitQuestion } from '../../protocol.ts'
import { SNAPSHOT, SNAPSHOT_FOLDER } from '../../testing/snapshot.ts'
import { loadTokenizer } from '../snapshot/tokenizer-file.ts'
import { MARKERS } from './markers.ts'
import { limitedParts, renderUnit } from './unit.ts'

const tokenizer = loadTokenizer(SNAPSHOT_FOLDER)
const LIMIT = 65_536
const render = (state: ScoreUnit['state'], questions: UnitQuestion[], limit = LIMIT) => {
  const unit: ScoreUnit = { tenant: 't', snapshot: SNAPSHOT, state, questions, reverse: false }
  const limited = limitedParts(unit, tokenizer, limit)
  if ('kind' in limited) throw new Error(limited.kind)
  return renderUnit(unit, limited, tokenizer)
}
const ids = (text: string): number[] => Array.from(tokenizer.encode(text)?.ids ?? [])

describe('rendering version 1', () => {
  it('puts the state between its markers', () => {
    const { state } = render({ form: 'json', text: '{"a":1}' }, [])
    expect(Array.from(state.ids)).toEqual([101, 13, ...ids('{"a":1}'), 102, 14])
    expect(Array.from(render({ form: 'text', text: '' }, []).state.ids)).toEqual([101, 12, 102, 14])
  })

  it('writes a choice as its keys and any descriptions they have', () => {
    const question: UnitQuestion = {
      type: 'choice',
      instructions: 'Which?',
      options: [
        ['red', null],
        ['blue', 'like the sky'],
        ['green', ''],
      ],
    }
    const [first] = render({ form: 'text', text: 'x' }, [question]).questions
    expect(Array.from(first?.rendered.instruction ?? [])).toEqual([1, ...ids('Which?'), 4, 5])
    expect(first?.rendered.options.map(option => Array.from(option))).toEqual([
      [6, ...ids('red'), 8],
      [6, ...ids('blue: like the sky'), 8],
      [6, ...ids('green: '), 8],
    ])
    expect(first?.rendered.optionInstructionIncluded).toEqual([false, false, false])
  })

  it('parts the key of an option at its capitals unless the vocabulary has it as one word', () => {
    const [first] = render({ form: 'text', text: 'x' }, [
      {
        type: 'choice',
        instructions: null,
        options: [
          ['RefundRequest', null],
          ['SignUp', null],
          ['YouTube', null],
        ],
      },
    ]).questions
    expect(ids('SignUp')).toHaveLength(2)
    expect(ids('YouTube')).toHaveLength(1)
    expect(first?.rendered.options.map(option => Array.from(option))).toEqual([
      [6, ...ids('Refund_Request'), 8],
      [6, ...ids('Sign_Up'), 8],
      [6, ...ids('YouTube'), 8],
    ])
  })

  it('writes a noul without descriptions as two bare marker pairs, the true side first', () => {
    const question: UnitQuestion = { type: 'noul', instructions: null, sides: [null, 'never'] }
    const [first] = render({ form: 'text', text: 'x' }, [question]).questions
    expect(Array.from(first?.rendered.instruction ?? [])).toEqual([2, 4, 5])
    expect(first?.rendered.options.map(option => Array.from(option))).toEqual([
      [9, 8],
      [10, ...ids('never'), 8],
    ])
    expect(first?.rendered.optionInstructionIncluded).toEqual([true, false])
  })

  it('writes the levels of a score in order', () => {
    const question: UnitQuestion = { type: 'score', instructions: '', levels: ['low', 'high'] }
    const [first] = render({ form: 'text', text: 'x' }, [question]).questions
    expect(first?.rendered.options.map(option => Array.from(option))).toEqual([
      [7, ...ids('low'), 8],
      [7, ...ids('high'), 8],
    ])
  })

  it('counts as framing exactly the markers in the tokens: 4 + 3 per question + 2 per option', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40, size: 'max' })
    const maybe = fc.option(text)
    const question: fc.Arbitrary<UnitQuestion> = fc.oneof(
      fc.record({
        type: fc.constant('choice' as const),
        instructions: maybe,
        options: fc.array(fc.tuple(text, maybe), { minLength: 1, maxLength: 6 }),
      }),
      fc.record({ type: fc.constant('noul' as const), instructions: maybe, sides: fc.tuple(maybe, maybe) }),
      fc.record({
        type: fc.constant('score' as const),
        instructions: maybe,
        levels: fc.array(text, { minLength: 2, maxLength: 4 }),
      }),
    )
    fc.assert(
      fc.property(text, fc.array(question, { minLength: 1, maxLength: 4 }), (stateText, questions) => {
        const { state, questions: rendered } = render({ form: 'text', text: stateText }, questions)
        const streams = [
          state.ids,
          ...rendered.flatMap(({ rendered: { instruction, options } }) => [instruction, ...options]),
        ]
        const found = streams.flatMap(stream => Array.from(stream)).filter(id => markerIds.has(id)).length
        const options = rendered.reduce((sum, one) => sum + one.rendered.options.length, 0)
        const counted = state.markers + rendered.reduce((sum, one) => sum + one.rendered.markers, 0)
        expect(counted).toBe(found)
        expect(counted).toBe(4 + 3 * questions.length + 2 * options)
        const texts = state.textTokens + rendered.reduce((sum, one) => sum + one.rendered.textTokens, 0)
        expect(texts + counted).toBe(streams.reduce((sum, stream) => sum + stream.length, 0))
      }),
    )
  })

  it('finds a quoted name in structured instructions as it does in plain text', () => {
    const told = 'Is `["a.b"]["say \\"c\\""]` kind?'
    const json = '{"a.b":{"say \\"c\\"":"look here"},"d":"not here"}'
    const [text, object, list] = render(
      { form: 'json', text: json },
      [told, JSON.stringify({ what: told }), JSON.stringify([told])].map(instructions => ({
        type: 'noul',
        instructions,
        sides: [null, null],
      })),
    ).questions.map(({ focus }) => focus)
    expect(text).not.toEqual([])
    expect(object).toEqual(text)
    expect(list).toEqual(text)
  })

  it('focuses a question on the rows of the parts that its instructions name', () => {
    const json = '{"a":{"b":"look here"},"c":"not here"}'
    const noul = (instructions: string): UnitQuestion => ({
      type: 'noul',
      instructions,
      sides: [null, null],
    })
    const { questions, state } = render({ form: 'json', text: json }, [
      noul('Is `a.b` kind?'),
      noul('Is it?'),
      noul('Is `nothing` kind?'),
    ])
    const rows = questions.map(({ focus }) =>
      focus.flatMap(([from, to]) => Array.from(state.ids.subarray(from, to))),
    )
    expect(rows).toEqual([ids('"look here"'), [], []])
    expect(render({ form: 'text', text: json }, [noul('Is `a.b` kind?')]).questions[0]?.focus).toEqual([])
  })

  it('refuses a state that is one token over the limit and never truncates it', () => {
    expect(render({ form: 'text', text: 'one two three' }, [], 3).state.textTokens).toBe(3)
    expect(() => render({ form: 'text', text: 'one two three' }, [], 2)).toThrow('state_too_long')
  })
})

/** Every marker that may occur in a stream. Line breaks and bytes count as text. */
const markerIds = new Set(
  [MARKERS.type, MARKERS.open, MARKERS.state_form, MARKERS]
    .flatMap(group => Object.entries(group))
    .filter(([name]) => !['rendering', 'newline', 'first_byte'].includes(name))
    .flatMap(([, id]) => id)
    .filter(id => typeof id === 'number'),
)
