import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../decision/answers.ts'
import type { Question } from '../decision/question.ts'
import { signaturePlaces } from '../decision/question-wording.ts'
import { judge, judgeAt, labelledRow, shifted } from './row.ts'

const logit = fc.oneof(fc.double({ min: -20, max: 20, noNaN: true }), fc.constantFrom(0, -1e9, 1e9))
const temperature = fc.double({ min: 0.05, max: 20, noNaN: true })

const choiceOf = (options: number): Question => ({
  type: 'choice',
  instructions: null,
  criteria: new Map(Array.from({ length: options }, (_, option) => [`k${option}`, null])),
})
const noul: Question = { type: 'noul', instructions: null, criteria: { true: null, false: null } }

/** The highest probability, as the calibration and as a decision with its profile see it. */
const confidences = (question: Question, logits: number[], temperature: number) => {
  const { decider } = answerTo(question, { logits, reversed: null }, { temperature, cutoff: null })
  return {
    fitted: judge(labelledRow('', { name: '', index: 0 }, logits), temperature).confidence,
    decided: decider.p_top,
  }
}

describe('the confidence that a cutoff is fitted on', () => {
  it('is, to the last bit, the one that a choice in any order has in a decision', () => {
    const choices = fc.array(logit, { minLength: 1, maxLength: 40, size: 'max' })
    fc.assert(
      fc.property(choices, temperature, (logits, temperature) => {
        const { fitted, decided } = confidences(choiceOf(logits.length), logits, temperature)
        expect(fitted).toBe(decided)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is, with offsets, the one of a decision but for less than a cutoff can tell apart', () => {
    const moderate = fc.double({ min: -20, max: 20, noNaN: true })
    const pairs = fc.array(fc.tuple(moderate, moderate, fc.string()), {
      minLength: 1,
      maxLength: 40,
      size: 'max',
    })
    fc.assert(
      fc.property(pairs, temperature, fc.nat(), (options, temperature, right) => {
        const criteria = new Map(options.map(([, , text], option) => [`${text} ${option}`, null]))
        const question: Question = { type: 'choice', instructions: null, criteria }
        const [logits, offsets] = [options.map(([logit]) => logit), options.map(([, offset]) => offset)]
        const scale = { temperature, offsets }
        const label = right % options.length
        const row = labelledRow('', { name: '', index: label }, logits, signaturePlaces(question))
        // Of options whose probabilities are highest together, a row knows the first by its signature and a decision the first sent.
        const [first = 0, second = Number.NEGATIVE_INFINITY] = shifted(row, offsets).logits
        fc.pre(first - second > 1e-9)
        const judged = judgeAt(row, scale)
        const answer = answerTo(question, { logits, reversed: null }, { ...scale, cutoff: null })
        const [answered] = [...criteria.keys()].map((key, option) => ({ key, option })).slice(label)
        expect(Math.abs(judged.confidence / answer.decider.p_top - 1)).toBeLessThan(1e-12)
        expect(judged.correct).toBe('choice' in answer && answer.choice === answered?.key)
        expect(judged.nll).toBeCloseTo(judge(shifted(row, offsets), temperature).nll, 6)
        expect(judged.brier).toBeCloseTo(judge(shifted(row, offsets), temperature).brier, 9)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is, to the last bit, that of a yes, and that of a no but for a rounding', () => {
    fc.assert(
      fc.property(logit, logit, temperature, (one, other, temperature) => {
        const [lower, higher] = one < other ? [one, other] : [other, one]
        const yes = confidences(noul, [higher, lower], temperature)
        expect(yes.fitted).toBe(yes.decided)
        const no = confidences(noul, [lower, higher], temperature)
        expect(Math.abs(no.fitted - no.decided)).toBeLessThanOrEqual(Number.EPSILON)
      }),
      { numRuns: 2_000 },
    )
  })
})

it('of options that are equally likely the first counts as answered, as in a decision', () => {
  const rows = [0, 1].map(index => labelledRow('', { name: '', index }, [1, 1, 0]))
  expect(rows.map(({ correct }) => correct)).toEqual([true, false])
  const scale = { temperature: 1, offsets: [0, 0, 0] }
  expect(rows.map(row => judgeAt(row, scale).correct)).toEqual([true, false])
})
