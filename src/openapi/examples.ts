// One decision, told in each API: the requests are read and the answers written by the dialects themselves.
import type { Decision } from '../decision/decision.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Json } from '../json/json.ts'
import { readJson } from '../json/reader.ts'
import { compact } from '../json/writer.ts'

const state = 'Charged twice for one order, please refund me.'
const team = { billing: 'payments and refunds', shipping: 'delivery', technical: 'errors in the product' }
const levels = ['calm', 'annoyed', 'furious']
const TEAM = 'Which team should handle this?'
const ANGER = 'How angry is the customer?'
const REFUND = 'The customer wants a refund'

const questions = {
  team: { type: 'choice', instructions: TEAM, criteria: team },
  refund: { type: 'noul', instructions: REFUND },
  anger: { type: 'score', instructions: ANGER, criteria: levels },
}

export const nativeRequest = { state, questions }

export const systemOneRequest = { model: 'jev-latest', state, questions }

export const openaiRequest = {
  model: 'decider-1',
  input: state,
  questions: [
    {
      type: 'choice',
      name: 'team',
      instructions: TEAM,
      choices: Object.entries(team).map(([value, description]) => ({ value, description })),
    },
    { type: 'predicate', name: 'refund', instructions: REFUND },
    { type: 'score', name: 'anger', instructions: ANGER, levels: levels.map(label => ({ label })) },
  ],
}

/** The answer a dialect gives to its example. */
export const answerTo = (request: unknown, dialect: Dialect): unknown => {
  const { request: read, write } = dialect.read(json(request))
  const ids = [...read.questions.keys()]
  const answers = new Map([...decision.answers.values()].map((answer, index) => [ids[index] ?? '', answer]))
  return JSON.parse(compact(write({ ...decision, answers })))
}

const json = (value: unknown): Json => {
  const reading = readJson(JSON.stringify(value))
  if (reading.kind === 'refused') throw new Error(reading.rule)
  return reading.value
}

const metadata = (top: number, normalized: number) => ({
  calibrated: false,
  p_top: top,
  abstain: null,
  confidence_winning: top,
  confidence_normalized: normalized,
})

const decision: Decision = {
  id: 'dec_5f0c1b7e9a3d4c2f8b6a1e0d',
  model: 'decider-preview-2026-10-13',
  answers: new Map([
    [
      'team',
      {
        type: 'choice',
        choice: 'billing',
        probabilities: new Map([
          ['billing', 0.94],
          ['shipping', 0.04],
          ['technical', 0.02],
        ]),
        logits: new Map([
          ['billing', 2.75],
          ['shipping', -0.407],
          ['technical', -1.1],
        ]),
        confidence: 0.91,
        decider: metadata(0.94, 0.91),
      },
    ],
    [
      'refund',
      {
        type: 'noul',
        noul: 0.96,
        probabilities: new Map([
          ['false', 0.04],
          ['true', 0.96],
        ]),
        logits: new Map([
          ['false', -1.589],
          ['true', 1.589],
        ]),
        decider: metadata(0.96, 0.92),
      },
    ],
    [
      'anger',
      {
        type: 'score',
        score: 1.2,
        legend: new Map(levels.map((level, index) => [String(index), level])),
        probabilities: new Map([
          ['0', 0.1],
          ['1', 0.6],
          ['2', 0.3],
        ]),
        logits: new Map([
          ['0', -1.3],
          ['1', 0.49],
          ['2', -0.2],
        ]),
        confidence: 0.4,
        decider: metadata(0.6, 0.4),
      },
    ],
  ]),
  usage: {
    input_tokens: 76,
    state_tokens: 11,
    question_tokens: 36,
    framing_tokens: 29,
    image_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    cost_usd: 0.0000076,
  },
  latencyMs: 41.7,
  warnings: [],
}
