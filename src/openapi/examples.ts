// One decision in the form of each API: the dialects themselves read the requests and write the answers.
import { answerTo } from '../decision/answers.ts'
import type { Answer, Decision } from '../decision/decision.ts'
import type { Dialect } from '../decision/dialect.ts'
import { DEFAULT_MODEL } from '../decision/request.ts'
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
  model: DEFAULT_MODEL,
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

/** Requests whose question lacks what is to be chosen from. */
export const nativeMistake = { state, questions: { team: { type: 'choice', instructions: TEAM } } }

export const openaiMistake = {
  model: DEFAULT_MODEL,
  input: state,
  questions: [{ type: 'choice', name: 'team', instructions: TEAM }],
}

/** What the repository's model answers, rounded: one logit per option. */
const LOGITS = [
  [12.216, 6.464, 7.107],
  [6.305, 1.13],
  [3.392, 2.402, 2.255],
]

/** The answer a dialect gives to its example, rounded: the last digits differ between engines. */
export const exampleAnswer = (example: unknown, dialect: Dialect): unknown => {
  const { request, write } = dialect.read(json(example))
  const answers = new Map<string, Answer>()
  for (const [index, [id, question]] of [...request.questions].entries())
    answers.set(id, answerTo(question, { logits: LOGITS[index] ?? [], reversed: null }, null))
  return JSON.parse(compact(write({ ...decision, answers })), (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value,
  )
}

/** A body as the service reads it. */
export const json = (value: unknown): Json => {
  const reading = readJson(JSON.stringify(value))
  if (reading.kind === 'refused') throw new Error(reading.rule)
  return reading.value
}

const decision: Omit<Decision, 'answers'> = {
  id: 'dec_5f0c1b7e9a3d4c2f8b6a1e0d',
  model: 'decider-preview-2026-10-13',
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
  latencyMs: 31,
  warnings: [],
}
