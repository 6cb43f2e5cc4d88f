import { describe, expect, it } from 'vitest'
import type { ScoreUnit, UnitQuestion } from '../../scorer/protocol.ts'
import { readAnswer } from './answer.ts'

const choiceOf = (options: number): UnitQuestion => ({
  type: 'choice',
  instructions: null,
  options: Array.from({ length: options }, (_, at) => [`option ${at}`, null]),
})
const QUESTIONS: UnitQuestion[] = [
  choiceOf(2),
  choiceOf(1),
  { type: 'noul', instructions: null, sides: [null, null] },
  { type: 'score', instructions: null, levels: ['low', 'middle', 'high', 'highest'] },
]
const OPTIONS = [2, 1, 2, 4]

const unitsThat = (reverse: boolean): ScoreUnit[] =>
  [QUESTIONS, QUESTIONS.slice(0, 1)].map(questions => ({
    tenant: 'tenant',
    snapshot: 'snapshot',
    state: { form: 'text', text: 'state' },
    questions,
    reverse,
  }))

const toCheck = (units: readonly ScoreUnit[]): ScoreUnit[] =>
  units.map(unit => ({ ...unit, checkOnly: true }))

type Pass = { logits: (number | null)[]; questionTokens: number; framingTokens: number }
const passOf = (options: number): Pass => ({
  logits: Array(options).fill(-1e9),
  questionTokens: 5,
  framingTokens: 7,
})

/** What a scorer that follows the protocol says about these units. */
const answerTo = (units: readonly ScoreUnit[]) => ({
  units: units.map(({ questions, reverse }) => ({
    kind: 'scored',
    stateTokens: 3,
    stateFramingTokens: 4,
    cached: false,
    questions: questions.map((_, at) => ({
      ...passOf(OPTIONS[at] ?? 0),
      reversed: reverse && at === 0 ? passOf(2) : null,
    })),
  })) as { kind: string; stateTokens: number; questions: (Pass & { reversed: Pass | null })[] }[],
  runMs: 1,
})
type Answer = ReturnType<typeof answerTo>

const read = (answer: unknown, units: readonly ScoreUnit[]) =>
  readAnswer(new TextEncoder().encode(JSON.stringify(answer)), units)

describe('an answer of the scorer', () => {
  it.each([false, true])('is read if each logit is one that was asked for: in both orders %s', reverse => {
    const units = unitsThat(reverse)
    const answer = answerTo(units)
    expect(read(answer, units)).toEqual(answer)
  })

  it.each([
    { kind: 'state_too_long', limit: 65_536 },
    { kind: 'instructions_too_long', question: 3, limit: 512 },
    { kind: 'within_limits' },
  ])('to a unit to check may be %j', said => {
    const units = unitsThat(false).slice(0, 1)
    expect(read({ units: [said], runMs: 1 }, toCheck(units))).toMatchObject({ units: [said] })
  })

  it('is nonsense if it scores what was only to be checked, or checks what was to be scored', () => {
    const units = unitsThat(false).slice(0, 1)
    expect(() => read(answerTo(units), toCheck(units))).toThrow('nonsense')
    expect(() => read({ units: [{ kind: 'within_limits' }], runMs: 1 }, units)).toThrow('nonsense')
  })

  const first = ({ units: [unit] }: Answer) => unit?.questions ?? []
  const tooLong = (question: number) => ({ kind: 'instructions_too_long', question, limit: 1 }) as never
  const tell = (part: object | undefined, said: object) => Object.assign(part ?? {}, said)
  const reversed = (answer: Answer, at: number, pass: Pass | null) =>
    tell(first(answer)[at], { reversed: pass })
  it.each<[string, boolean, (answer: Answer) => unknown]>([
    ['one unit too few', false, ({ units }) => units.pop()],
    ['one unit too many', false, ({ units }) => units.push(...units.slice(0, 1))],
    ['one question too few', false, answer => first(answer).pop()],
    ['one question too many', false, answer => first(answer).push(...first(answer).slice(0, 1))],
    ['one logit too few', false, answer => first(answer)[3]?.logits.pop()],
    ['one logit too many', false, answer => first(answer)[2]?.logits.push(0)],
    ['a logit that is not a number', false, answer => first(answer)[0]?.logits.fill(null)],
    ['a logit above what any model says', false, answer => first(answer)[0]?.logits.fill(2e9)],
    ['a logit below what any model says', false, answer => first(answer)[0]?.logits.fill(-2e9)],
    ['negative tokens of the state', false, ({ units: [unit] }) => tell(unit, { stateTokens: -1 })],
    ['half a token of the state', false, ({ units: [unit] }) => tell(unit, { stateTokens: 0.5 })],
    [
      'negative tokens around the state',
      false,
      ({ units: [unit] }) => tell(unit, { stateFramingTokens: -1 }),
    ],
    ['negative tokens of a question', false, answer => tell(first(answer)[0], { questionTokens: -1 })],
    ['negative tokens around a question', false, answer => tell(first(answer)[0], { framingTokens: -1 })],
    ['no second order for a choice', true, answer => reversed(answer, 0, null)],
    ['a second order that lacks an option', true, answer => reversed(answer, 0, passOf(1))],
    ['a second order that nobody asked for', false, answer => reversed(answer, 0, passOf(2))],
    ['a second order for one option', true, answer => reversed(answer, 1, passOf(1))],
    ['a second order for yes and no', true, answer => reversed(answer, 2, passOf(2))],
    ['a second order for levels', true, answer => reversed(answer, 3, passOf(4))],
    ['instructions that were not sent', false, ({ units }) => units.splice(0, 1, tooLong(4))],
    ['instructions before the first', false, ({ units }) => units.splice(0, 1, tooLong(-1))],
  ])('is nonsense with %s', (_, reverse, spoil) => {
    const units = unitsThat(reverse)
    const answer = answerTo(units)
    spoil(answer)
    expect(() => read(answer, units)).toThrow('nonsense')
  })
})
