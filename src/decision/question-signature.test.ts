import { describe, expect, it } from 'vitest'
import { type Json, Numeral } from '../json/json.ts'
import type { ChoiceQuestion, NoulQuestion, ScoreQuestion } from './question.ts'
import { signatureOf } from './question-signature.ts'

const choice = (criteria: [string, Json][], instructions: Json = 'Which team?'): ChoiceQuestion =>
  ({ type: 'choice', instructions, criteria: new Map(criteria) }) as ChoiceQuestion
const among = (keys: string[], instructions?: Json) =>
  choice(
    keys.map(key => [key, null]),
    instructions,
  )
const noul = (instructions: Json, whenTrue: Json = null, whenFalse: Json = null): NoulQuestion =>
  ({ type: 'noul', instructions, criteria: { true: whenTrue, false: whenFalse } }) as NoulQuestion
const score = (...criteria: Json[]): ScoreQuestion =>
  ({ type: 'score', instructions: null, criteria }) as ScoreQuestion

describe('signatureOf', () => {
  it('is short hex', () => {
    expect(signatureOf(noul('Is it urgent?'))).toMatch(/^[0-9a-f]{32}$/)
  })

  it('never changes, because existing profiles hold it', () => {
    const teams = choice(Object.entries({ billing: 'Money', other: null }))
    expect(signatureOf(teams)).toBe('2ba08e6b47f8a1cd80a6fea4edb4be5b')
    // In no dictionary's order, which differs from machine to machine.
    expect(signatureOf(among(['a', 'Z', 'é', '_']))).toBe('fc0ba7565b0f384e2c03176780bd159e')
    expect(signatureOf(noul('Is it urgent?', 'Today'))).toBe('b763a23fd647212ac91360e2c0bf5f5e')
    expect(signatureOf(score('calm', new Map([['what', 'angry']])))).toBe('9aa14740950169889aa44af486a45b10')
  })

  it('does not depend on the order of options, integer-like keys and __proto__ included', () => {
    const options: [string, Json][] = [
      ['10', 'ten'],
      ['2', 'two'],
      ['__proto__', null],
      ['b', 'é'],
      ['a', null],
    ]
    expect(signatureOf(choice(options.toReversed()))).toBe(signatureOf(choice(options)))
  })

  it.each([
    ['instructions', among(['a', 'b'], 'Which queue?')],
    ['no instructions', among(['a', 'b'], null)],
    ['an option key', among(['a', 'c'])],
    ['a description', choice(Object.entries({ a: null, b: 'x' }))],
    ['one more option', among(['a', 'b', 'c'])],
    ['options glued together', among(['a":null,"b'])],
  ])('changes with %s', (_, other) => {
    expect(signatureOf(other)).not.toBe(signatureOf(among(['a', 'b'])))
  })

  it('distinguishes types, sides and levels', () => {
    const all = [
      choice(Object.entries({ true: 'x', false: null }), null),
      noul(null, 'x'),
      noul(null, null, 'x'),
      score('x', 'y'),
      score('y', 'x'),
      score(['x'], 'y'),
    ].map(signatureOf)
    expect(new Set(all).size).toBe(all.length)
  })

  it('depends on what the model reads: key order inside a description, and digits as written', () => {
    const described = (description: Json) => signatureOf(choice([['a', description]]))
    const guide: [string, Json][] = Object.entries({ what: 'x', not_for: 'y' })
    expect(described(new Map(guide))).not.toBe(described(new Map(guide.toReversed())))
    expect(described([new Numeral('1.0')])).not.toBe(described([1]))
  })
})
