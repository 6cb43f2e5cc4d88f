import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { compact } from '../json/writer.ts'
import type { Rule } from '../profiles/profile.ts'
import { answerTo } from './answers.ts'
import { optionNames } from './option-names.ts'
import type { Question } from './question.ts'

const choiceOf = (...keys: string[]): Question => ({
  type: 'choice',
  instructions: null,
  criteria: new Map(keys.map(key => [key, null])),
})
const noul: Question = { type: 'noul', instructions: null, criteria: { true: null, false: null } }
const scoreOf = (levels: number): Question => ({
  type: 'score',
  instructions: null,
  criteria: Array.from({ length: levels }, (_, level) => `level ${level}`),
})

const answer = (
  question: Question,
  logits: number[],
  reversed: number[] | null = null,
  rule: Rule | null = null,
) => answerTo(question, { logits, reversed }, rule)

const softmax = (logits: Iterable<number>): number[] => {
  const all = [...logits]
  const top = Math.max(...all)
  const powers = all.map(logit => Math.exp(logit - top))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map(power => power / sum)
}

const logit = fc.oneof(
  fc.double({ min: -20, max: 20, noNaN: true }),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.constantFrom(0, -1e9, 1e9),
)
const asked = fc
  .oneof(
    fc
      .integer({ min: 1, max: 40 })
      .map(count => choiceOf(...Array.from({ length: count }, (_, key) => `k${key}`))),
    fc.constant(noul),
    fc.integer({ min: 2, max: 10 }).map(scoreOf),
  )
  .chain(question => {
    const count = optionNames(question).length
    const logits = fc.array(logit, { minLength: count, maxLength: count })
    return fc.record({
      question: fc.constant(question),
      logits,
      reversed: question.type === 'choice' ? fc.option(logits) : fc.constant(null),
      rule: fc.option(
        fc.record({
          temperature: fc.double({ min: 0.05, max: 20, noNaN: true }),
          cutoff: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
          offsets: fc.array(fc.double({ min: -20, max: 20, noNaN: true }), {
            minLength: count,
            maxLength: count,
          }),
        }),
      ),
    })
  })

describe('whatever finite logits come in', () => {
  const holds = (check: (given: ReturnType<typeof answer>, from: { rule: Rule | null }) => void) => {
    fc.assert(
      fc.property(asked, ({ question, logits, reversed, rule }) =>
        check(answer(question, logits, reversed, rule), { rule }),
      ),
      { numRuns: 1_000 },
    )
  }
  const inUnit = (value: number) => value >= 0 && value <= 1

  it('probabilities lie in 0 to 1, sum to 1 and are the softmax of the logits', () => {
    holds(({ probabilities, logits }) => {
      const shares = [...probabilities.values()]
      expect(shares.every(inUnit)).toBe(true)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
      expect([...logits.keys()]).toEqual([...probabilities.keys()])
      for (const [option, share] of softmax(logits.values()).entries())
        expect(shares[option]).toBeCloseTo(share, 9)
    })
  })

  it('the top probability, its confidences and the abstention agree', () => {
    holds(({ probabilities, decider, ...given }, { rule }) => {
      const top = Math.max(...probabilities.values())
      expect(decider.p_top).toBe(top)
      expect(decider.confidence_winning).toBe(top)
      expect(inUnit(decider.confidence_normalized)).toBe(true)
      expect('confidence' in given).toBe(given.type !== 'noul')
      if ('confidence' in given) expect(inUnit(given.confidence)).toBe(true)
      expect(decider.calibrated).toBe(rule !== null)
      expect(decider.abstain).toBe(rule === null ? null : rule.cutoff === null || top < rule.cutoff)
    })
  })

  it('the verdict follows from the probabilities', () => {
    holds(given => {
      const shares = [...given.probabilities]
      const top = Math.max(...given.probabilities.values())
      if (given.type === 'choice') expect(given.choice).toBe(shares.find(([, share]) => share === top)?.[0])
      if (given.type === 'noul') {
        expect(shares).toEqual([
          ['false', 1 - given.noul],
          ['true', given.noul],
        ])
      }
      if (given.type === 'score') {
        const mean = shares.reduce((sum, [level, share]) => sum + Number(level) * share, 0)
        expect(given.score).toBeCloseTo(mean, 9)
        expect(given.score).toBeLessThanOrEqual(shares.length - 1)
      }
    })
  })

  it('the numbers of a choice move with its options, exact to the last bit', () => {
    const options = fc.array(fc.tuple(logit, logit), { minLength: 1, maxLength: 40, size: 'max' })
    fc.assert(
      fc.property(options, fc.boolean(), fc.nat(39), (sent, again, turn) => {
        const one = sent.map((numbers, key) => ({ key: `k${key}`, numbers }))
        const other = [...one.slice(turn), ...one.slice(0, turn)].reverse()
        const [given, moved] = [one, other].map(asked =>
          answer(
            choiceOf(...asked.map(({ key }) => key)),
            asked.map(({ numbers: [first] }) => first),
            again ? asked.map(({ numbers: [, second] }) => second) : null,
          ),
        )
        // Maps are equal whatever the order of their keys. Order decides nothing but a tie.
        expect({ ...moved, choice: null }).toEqual({ ...given, choice: null })
      }),
      { numRuns: 1_000 },
    )
  })

  it('an answer can be written as JSON', () => {
    holds(given => {
      expect(() => compact([given.logits, given.probabilities])).not.toThrow()
    })
  })
})

describe('logits that are not one per option', () => {
  it.each([
    ['a choice', choiceOf('a', 'b', 'c')],
    ['a noul', noul],
    ['a score', scoreOf(3)],
  ])('are never made into an answer to %s', (_, question) => {
    const enough = question.type === 'noul' ? [2, 1] : [3, 2, 1]
    expect(() => answer(question, enough)).not.toThrow()
    for (const logits of [[], enough.slice(1), [...enough, 0]]) {
      expect(() => answer(question, logits)).toThrow(RangeError)
      expect(() => answer(question, enough, logits)).toThrow(RangeError)
    }
  })
})

describe('a choice', () => {
  it('of one option is certain', () => {
    expect(answer(choiceOf('only'), [-3])).toMatchObject({
      choice: 'only',
      probabilities: new KeyedByCaller([['only', 1]]),
      logits: new KeyedByCaller([['only', -3]]),
      confidence: 1,
      decider: { p_top: 1, confidence_normalized: 1 },
    })
  })

  it('that is tied goes to the option sent first, with no confidence', () => {
    expect(answer(choiceOf('9', '1', '5'), [2, 2, 2])).toMatchObject({ choice: '9', confidence: 0 })
    expect(answer(choiceOf('c', 'b', 'a'), [0, 5, 5])).toMatchObject({ choice: 'b' })
  })

  it('has the confidence (p - 1/k) / (1 - 1/k)', () => {
    const logits = [Math.log(0.7), Math.log(0.2), Math.log(0.1)]
    expect(answer(choiceOf('a', 'b', 'c'), logits)).toMatchObject({
      confidence: expect.closeTo((0.7 - 1 / 3) / (1 - 1 / 3), 12),
    })
  })

  it('keeps the raw logits, however large', () => {
    expect([...answer(choiceOf('a', 'b'), [1e9, -1e9]).logits.values()]).toEqual([1e9, -1e9])
  })

  it('scored in both orders has the mean probabilities, and their logarithms as logits', () => {
    const one = [3, 1, 0]
    const other = [0, 2, -1]
    const given = answer(choiceOf('a', 'b', 'c'), one, other)
    const mean = softmax(one).map((share, option) => (share + (softmax(other)[option] ?? 0)) / 2)
    for (const [option, share] of [...given.probabilities.values()].entries()) {
      expect(share).toBeCloseTo(mean[option] ?? 0, 12)
    }
    for (const [option, log] of [...given.logits.values()].entries()) {
      expect(log).toBeCloseTo(Math.log(mean[option] ?? 0), 12)
    }
  })
})

describe('a noul', () => {
  it('is the probability of yes, whose logit comes first', () => {
    const given = answer(noul, [Math.log(3), 0])
    expect(given).toMatchObject({
      noul: expect.closeTo(0.75, 12),
      decider: { p_top: expect.closeTo(0.75, 12), confidence_normalized: expect.closeTo(0.5, 12) },
    })
    expect([...given.logits]).toEqual([
      ['false', 0],
      ['true', Math.log(3)],
    ])
  })
})

describe('a score', () => {
  it('is the mean level, with the descriptions as its legend', () => {
    const given = answer(scoreOf(3), [Math.log(0.2), Math.log(0.3), Math.log(0.5)])
    expect(given).toMatchObject({
      score: expect.closeTo(1.3, 12),
      legend: new Map([
        ['0', 'level 0'],
        ['1', 'level 1'],
        ['2', 'level 2'],
      ]),
      decider: { p_top: expect.closeTo(0.5, 12), confidence_normalized: expect.closeTo(0.25, 12) },
    })
    expect([...given.probabilities.keys()]).toEqual(['0', '1', '2'])
  })

  it('has the confidence 1 - sum p|i - m| / (MAD of an even split)', () => {
    const given = answer(scoreOf(3), [Math.log(0.2), Math.log(0.3), Math.log(0.5)])
    expect(given).toMatchObject({
      confidence: expect.closeTo(Math.max(0, 1 - (0.2 * 2 + 0.3) / (2 / 3)), 12),
    })
    const sharper = answer(scoreOf(4), [0.05, 0.9, 0.03, 0.02].map(Math.log))
    expect(sharper).toMatchObject({ confidence: expect.closeTo(1 - (0.05 + 0.03 + 2 * 0.02) / 1, 12) })
  })

  it('has no confidence when even, and full confidence when certain', () => {
    expect(answer(scoreOf(10), Array(10).fill(1))).toMatchObject({
      confidence: 0,
      score: expect.closeTo(4.5, 9),
    })
    expect(answer(scoreOf(2), [-1e9, 1e9])).toMatchObject({ confidence: 1, score: 1 })
    // The sum rounds to just above the highest level.
    expect(answer(scoreOf(7), [-40, -40, -40, -40, -40, -37, 0])).toMatchObject({ score: 6 })
  })
})

describe('a profile', () => {
  it('divides the logits by its temperature', () => {
    const given = answer(choiceOf('a', 'b'), [4, 0], null, { temperature: 2, cutoff: 0.5 })
    expect([...given.logits.values()]).toEqual([2, 0])
    expect(given.decider).toMatchObject({ calibrated: true, abstain: false })
  })

  it('applies to the mean of both orders', () => {
    const both = (rule: Rule | null) => [...answer(choiceOf('a', 'b'), [4, 0], [0, 2], rule).logits.values()]
    expect(both({ temperature: 2, cutoff: 0.5 })).toEqual(both(null).map(logit => logit / 2))
  })

  it('adds the offsets first, each to the option it was fitted for, whatever order the options are sent in', () => {
    const rule = { temperature: 2, cutoff: 0.5, offsets: [1, 5, -1] }
    const logits = { a: 4, b: 2, c: 3 }
    for (const order of [['a', 'b', 'c'] as const, ['c', 'a', 'b'] as const]) {
      const given = answer(
        choiceOf(...order),
        order.map(name => logits[name]),
        null,
        rule,
      )
      expect(Object.fromEntries(given.logits)).toEqual({ a: 2.5, b: 3.5, c: 1 })
      expect(given).toMatchObject({ choice: 'b', decider: { calibrated: true, abstain: false } })
    }
  })

  it('adds the offsets of yes and of no, and of each level', () => {
    const yes = answer(noul, [0, 0], null, { temperature: 1, cutoff: 0.5, offsets: [2, -2] })
    expect(Object.fromEntries(yes.logits)).toEqual({ false: -2, true: 2 })
    const score: Question = { type: 'score', instructions: null, criteria: ['low', 'mid', 'high'] }
    const levels = answer(score, [0, 0, 0], null, { temperature: 1, cutoff: 0.5, offsets: [1, 2, 3] })
    expect(Object.fromEntries(levels.logits)).toEqual({ 0: 1, 1: 2, 2: 3 })
  })

  it('abstains below its cutoff but not at it, and always without a cutoff', () => {
    const abstains = (cutoff: number | null) =>
      answer(noul, [0, 0], null, { temperature: 1, cutoff }).decider.abstain
    expect([0.5, 0.5000001, null].map(abstains)).toEqual([false, true, true])
  })
})
