import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu-time.ts'
import type { UnitQuestion } from '../../protocol.ts'
import { ANGRY, TEAM, URGENT, unit } from '../../testing/scorer.ts'
import { SNAPSHOT, SNAPSHOT_FOLDER } from '../../testing/snapshot.ts'
import { createCacheKeys } from '../cache/cache-key.ts'
import type { Description } from '../snapshot/description.ts'
import { loadTokenizer } from '../snapshot/tokenizer-file.ts'
import { prepare } from './prepare.ts'
import { passesOf, type ReadyUnit } from './prepared.ts'

const temperatures: Description['temperatures'] = {
  choice: { '2': 2, '3-4': 4, '5-8': 8, '9-16': 16, '17-64': 64, '65+': 128 },
  noul: 0.5,
  score: 0.25,
}
const description: Description = {
  id: SNAPSHOT,
  released: '2026-10-13',
  status: 'preview',
  base: 'decider-1',
  max_state_tokens: 20,
  modalities: ['text'],
  retire_after: null,
  rendering: 1,
  temperatures,
  files: {},
}
const reader = { tokenizer: loadTokenizer(SNAPSHOT_FOLDER), description }
const readers = new Map([SNAPSHOT, 'another'].map(id => [id, reader]))
const keys = createCacheKeys(new Uint8Array(32))
const prepareUnits = (...units: unknown[]) => {
  const prepared = prepare(Buffer.from(JSON.stringify({ units })), readers, keys)
  if ('error' in prepared) throw new Error(prepared.message)
  return prepared.units
}
const ready = (one: unknown): ReadyUnit => {
  const [prepared] = prepareUnits(one)
  if (prepared?.kind !== 'ready') throw new Error('the unit was refused')
  return prepared
}
const choice = (count: number): UnitQuestion => ({
  type: 'choice',
  instructions: null,
  options: Array.from({ length: count }, (_, i) => [`${i}`, null]),
})

describe('a prepared unit', () => {
  it('scales each question by the temperature of its type and number of options', () => {
    const questions = [1, 2, 3, 4, 5, 8, 9, 16, 17, 64, 65, 1_024].map(choice)
    const scales = passesOf(ready(unit({ questions: [...questions, ANGRY, URGENT] }))).map(
      ({ question }) => question.scale,
    )
    expect(scales.map(scale => 1 / scale)).toEqual([2, 2, 4, 4, 8, 8, 16, 16, 64, 64, 128, 128, 0.5, 0.25])
  })

  it('has a second pass with reversed options only for choices of more than one option', () => {
    const { questions } = ready(unit({ reverse: true, questions: [TEAM, choice(1), ANGRY, URGENT] }))
    const [team, ...others] = questions
    expect(team?.reversed?.question.options).toEqual(team?.asked.question.options.toReversed())
    expect(team?.reversed).toMatchObject({ questionTokens: team?.asked.questionTokens, framingTokens: 9 })
    expect(others.map(({ reversed }) => reversed)).toEqual([null, null, null])
  })

  it('has a cache key made from tenant, snapshot and state, not from its questions', () => {
    const one = unit()
    expect(ready({ ...one, questions: [ANGRY] }).cacheKey).toBe(ready(one).cacheKey)
    expect(ready({ ...one, tenant: 'another' }).cacheKey).not.toBe(ready(one).cacheKey)
    expect(ready({ ...one, snapshot: 'another' }).cacheKey).not.toBe(ready(one).cacheKey)
    expect(ready({ ...one, state: { form: 'json', text: one.state.text } }).cacheKey).not.toBe(
      ready(one).cacheKey,
    )
  })

  it('has keys for its questions that differ with tenant, snapshot, any part of the question and its order', () => {
    const options: [string, null][] = [
      ['a', null],
      ['b', null],
    ]
    const one = unit({ questions: [{ type: 'choice', instructions: 'Which?', options }], reverse: true })
    const others = [
      { ...one, tenant: 'another' },
      { ...one, snapshot: 'another' },
      { ...one, questions: [{ ...one.questions[0], instructions: 'What?' }] },
      { ...one, questions: [{ ...one.questions[0], options: [...options, ['c', null]] }] },
    ]
    const keysOf = (some: unknown) => passesOf(ready(some)).map(({ question }) => question.key)
    const all = [one, ...others].flatMap(keysOf)
    expect(new Set(all).size).toBe(2 * (1 + others.length))
    expect(keysOf({ ...one, state: { form: 'text', text: 'another' } })).toEqual(keysOf(one))
  })

  it('counts the tokens of its texts apart from the markers around them', () => {
    const words: UnitQuestion = {
      type: 'choice',
      instructions: 'word word word',
      options: [
        ['word', null],
        ['word', 'word'],
      ],
    }
    const counted = ready(unit({ state: { form: 'text', text: 'word word' }, questions: [words, ANGRY] }))
    expect(counted).toMatchObject({ stateTokens: 2, stateFramingTokens: 4 })
    expect(counted.questions.map(({ asked }) => [asked.questionTokens, asked.framingTokens])).toEqual([
      [7, 7],
      [4, 7],
    ])
  })

  it('looks at the part of the state that a question names', () => {
    const state = { form: 'json' as const, text: '{"a":"word","b":"word"}' }
    const naming = { ...ANGRY, instructions: 'Is `b` fine?' }
    const focusOf = (form: 'json' | 'text') =>
      passesOf(ready(unit({ state: { ...state, form }, questions: [ANGRY, naming] }))).map(
        ({ question }) => question.focus.length,
      )
    expect([focusOf('json'), focusOf('text')]).toEqual([
      [0, 1],
      [0, 0],
    ])
  })

  it('is refused with the limit that it exceeds, without affecting the others', () => {
    const long = { form: 'text', text: 'word '.repeat(21) }
    const told = { ...ANGRY, instructions: 'word '.repeat(16_382) }
    const longest = { ...ANGRY, instructions: 'word '.repeat(16_381) }
    expect(
      prepareUnits(
        unit({ snapshot: 'x' }),
        unit({ state: long as never }),
        unit({ questions: [TEAM, told, TEAM] }),
        unit({ questions: [longest] }),
        unit(),
        unit({ checkOnly: true }),
        unit({ checkOnly: true, state: long as never }),
      ),
    ).toMatchObject([
      { kind: 'unknown_snapshot' },
      { kind: 'state_too_long', limit: 20 },
      { kind: 'instructions_too_long', question: 1, limit: 16_381 },
      { kind: 'ready' },
      { kind: 'ready' },
      { kind: 'within_limits' },
      { kind: 'state_too_long', limit: 20 },
    ])
  })

  it('with instructions that are too long costs only their first tokens, whatever paths they name', () => {
    const state = { form: 'json' as const, text: '{"a":1}' }
    for (const instructions of [`\`${'a.'.repeat(1_950_000)}a\``, '`a.b[0]` '.repeat(433_000)]) {
      const asked = unit({ state, questions: [TEAM, { ...ANGRY, instructions }] })
      const tooLong = [{ kind: 'instructions_too_long', question: 1 }]
      // Looking for the paths took more than a second.
      expect(cpuMs(() => expect(prepareUnits(asked)).toMatchObject(tooLong))).toBeLessThan(500)
    }
  })

  it('that is not scored costs nothing for its options, however long they are', () => {
    const options: UnitQuestion = {
      type: 'choice',
      instructions: null,
      options: [['aA'.repeat(1_950_000), null]],
    }
    const told = { ...ANGRY, instructions: 'word '.repeat(16_382) }
    const state = { form: 'text' as const, text: 'word '.repeat(21) }
    for (const [kind, one] of [
      ['instructions_too_long', unit({ questions: [options, told] })],
      ['state_too_long', unit({ questions: [options], state })],
      ['within_limits', unit({ questions: [options], checkOnly: true })],
    ] as const) {
      // Reading the options took half a second.
      expect(cpuMs(() => expect(prepareUnits(one)).toMatchObject([{ kind }]))).toBeLessThan(200)
    }
  })

  it('whose state and instructions are both too long is refused for its state', () => {
    const state = { form: 'json' as const, text: JSON.stringify('word '.repeat(21)) }
    const told = { ...ANGRY, instructions: 'word '.repeat(16_382) }
    expect(prepareUnits(unit({ state, questions: [told] }))).toMatchObject([{ kind: 'state_too_long' }])
  })
})
