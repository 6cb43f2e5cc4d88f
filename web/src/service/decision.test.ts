import { describe, expect, it } from 'vitest'
import { jsonObjectIn } from '../../../src/testing/json.ts'
import { decisionOf } from './decision.ts'

/** What the page makes of the answer to one question. */
const verdictOn = (answer: object, profiled = false) => {
  const { verdicts } = decisionOf(jsonObjectIn(JSON.stringify({ answers: { q: answer } })), profiled)
  return verdicts[0]
}

describe('an answer as the pages show it', () => {
  it('says the option of a choice, and keeps the order of the others', () => {
    const probabilities = { no: 0.3, yes: 0.3, maybe: 0.4 }
    expect(verdictOn({ type: 'choice', probabilities, confidence: 0.1 })).toMatchObject({
      headline: 'maybe',
      shares: [{ name: 'no' }, { name: 'yes' }, { name: 'maybe' }],
      top: { name: 'maybe', probability: 0.4 },
      confidence: 0.1,
      score: null,
    })
  })

  it('says yes or no to a noul, yes above no, with the confidence it has', () => {
    const probabilities = { false: 0.9, true: 0.1 }
    expect(verdictOn({ type: 'noul', probabilities, decider: { confidence_normalized: 0.8 } })).toMatchObject(
      {
        headline: 'No',
        shares: [
          { name: 'Yes', probability: 0.1 },
          { name: 'No', probability: 0.9 },
        ],
        confidence: 0.8,
        score: null,
      },
    )
  })

  it('says the likeliest level of a score in its words, and the expected one', () => {
    const probabilities = { 0: 0.5, 1: 0.2, 2: 0.3 }
    const legend = { 0: 'can wait', 1: { what: 'soon' }, 2: 'today' }
    expect(verdictOn({ type: 'score', score: 0.8, probabilities, legend, confidence: 0.2 })).toMatchObject({
      headline: '0 · can wait',
      shares: [{ name: '0 · can wait' }, { name: '1 · {"what":"soon"}' }, { name: '2 · today' }],
      confidence: 0.2,
      score: { value: 0.8, highest: 2 },
    })
  })

  it.each<[boolean | null, number, boolean, { uncovered: boolean; unsure: boolean }]>([
    [null, 0.29, false, { uncovered: false, unsure: true }],
    [null, 0.3, false, { uncovered: false, unsure: false }],
    [null, 0.29, true, { uncovered: true, unsure: true }],
    [null, 0.3, true, { uncovered: true, unsure: false }],
    [true, 0.99, true, { uncovered: false, unsure: true }],
    [false, 0.01, true, { uncovered: false, unsure: false }],
  ])(
    'with abstain %s and confidence %s, asked with a profile: %s, is %o',
    (abstain, confidence, profiled, said) => {
      const answer = { type: 'choice', probabilities: { a: 1 }, confidence, decider: { abstain } }
      expect(verdictOn(answer, profiled)).toMatchObject({ abstain, ...said })
    },
  )
})

it('a decision says what it took, each figure under its own name', () => {
  const usage =
    '{"input_tokens":1,"state_tokens":2,"question_tokens":3,"framing_tokens":4,"cached_tokens":5,"cost_usd":6e-6}'
  const body = `{"model":"m","answers":{},"usage":${usage},"latency_ms":7,"warnings":["w",8]}`
  expect(decisionOf(jsonObjectIn(body), false)).toEqual({
    model: 'm',
    verdicts: [],
    tokens: { input: 1, state: 2, question: 3, framing: 4, cached: 5 },
    costUsd: 6e-6,
    latencyMs: 7,
    warnings: ['w'],
  })
})
