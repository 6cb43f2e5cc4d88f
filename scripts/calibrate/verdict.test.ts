import { describe, expect, it } from 'vitest'
import type { Judged } from '../../src/calibration/row.ts'
import { evidenceOf, verdictOn } from './verdict.ts'

const TARGET = 0.05

/** Answers that were let through, the first of them wrong; `stateOf` says which answers are about one state. */
const letThrough = (answered: number, wrong: number, stateOf = (index: number) => index): Judged[] =>
  Array.from({ length: answered }, (_, index) => ({
    group: String(stateOf(index)),
    confidence: 0.9,
    correct: index >= wrong,
    nll: 0,
    brier: 0,
  }))

const verdict = (...answers: Parameters<typeof letThrough>) =>
  verdictOn(evidenceOf(letThrough(...answers)), TARGET)

describe('the verdict on a question', () => {
  // The smallest numbers of answers that certify 5%, as in the table of docs/calibration.md.
  it.each([
    [45, 0],
    [77, 1],
    [184, 5],
  ])('is that it keeps to its target once %i answers with %i wrong certify it, and not before', (m, k) => {
    expect([verdict(m, k), verdict(m - 1, k)]).toEqual(['keeps', 'unsure'])
  })

  it('calls for another fit only where so many errors are unlikely within the target', () => {
    // Of 100 answers that are wrong 5% of the time, nine or more are wrong in 6.3% of all cases, eight or more in 12.8%.
    expect([verdict(100, 9), verdict(100, 8)]).toEqual(['breaks', 'unsure'])
    expect(verdict(3, 2)).toBe('breaks')
  })

  it.each([
    ['half the target', 0.025, 'keeps', 330],
    ['twice the target', 0.1, 'breaks', 146],
  ] as const)(
    'is reached four times in five if %s is wrong, from the number of answers in docs/calibration.md',
    (_, rate, reached, enough) => {
      const chance = (answered: number) => {
        let odds = (1 - rate) ** answered
        let sum = 0
        for (let wrong = 0; wrong <= answered; wrong++) {
          if (verdict(answered, wrong) === reached) sum += odds
          odds *= ((answered - wrong) / (wrong + 1)) * (rate / (1 - rate))
        }
        return sum
      }
      expect(chance(enough)).toBeGreaterThan(0.8)
      expect(chance(enough - 1)).toBeLessThan(0.8)
    },
  )

  it('is none on a question whose every answer abstains', () => {
    expect(evidenceOf([])).toEqual({ answered: 0, wrong: 0, atLeast: 0, atMost: 1 })
    expect(verdict(0, 0)).toBe('silent')
  })

  it('is none on a question that the profile does not cover', () => {
    expect(verdictOn(null, TARGET)).toBe('not covered')
  })

  it('learns nothing from copies of a state, whether they are right or wrong', () => {
    expect(verdict(90, 0, index => index % 9)).toBe('unsure')
    expect(verdict(200, 20, index => Math.max(index, 19))).toBe('unsure')
  })
})
