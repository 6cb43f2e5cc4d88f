// The one shape every dialect answers from.
import * as v from 'valibot'
import { amount, count, share } from '../figures.ts'
import { Description } from './question.ts'

export const AnswerMetadata = v.object({
  calibrated: v.boolean(),
  p_top: share,
  abstain: v.nullable(v.boolean()),
  confidence_winning: share,
  confidence_normalized: share,
})

/** Per option, in the question's order. */
const Probabilities = v.map(v.string(), share)
const Logits = v.map(v.string(), v.number())

/** Of a yes-or-no question. */
const Side = v.picklist(['false', 'true'])

export const ChoiceAnswer = v.object({
  type: v.literal('choice'),
  choice: v.string(),
  probabilities: Probabilities,
  logits: Logits,
  confidence: share,
  decider: AnswerMetadata,
})

export const NoulAnswer = v.object({
  type: v.literal('noul'),
  noul: share,
  probabilities: v.map(Side, share),
  logits: v.map(Side, v.number()),
  decider: AnswerMetadata,
})

export const ScoreAnswer = v.object({
  type: v.literal('score'),
  score: amount,
  legend: v.map(v.string(), Description),
  probabilities: Probabilities,
  logits: Logits,
  confidence: share,
  decider: AnswerMetadata,
})

export const Answer = v.variant('type', [ChoiceAnswer, NoulAnswer, ScoreAnswer])

export const Usage = v.object({
  input_tokens: count,
  state_tokens: count,
  question_tokens: count,
  framing_tokens: count,
  image_tokens: count,
  cached_tokens: count,
  output_tokens: count,
  cost_usd: amount,
})

/** The wire format of the native response. */
export const DecisionAnswer = v.object({
  id: v.string(),
  object: v.literal('altdecisions.response'),
  model: v.string(),
  answers: v.map(v.string(), Answer),
  usage: Usage,
  latency_ms: amount,
  warnings: v.optional(v.array(v.string())),
})

export type AnswerMetadata = v.InferOutput<typeof AnswerMetadata>
export type ChoiceAnswer = v.InferOutput<typeof ChoiceAnswer>
export type NoulAnswer = v.InferOutput<typeof NoulAnswer>
export type ScoreAnswer = v.InferOutput<typeof ScoreAnswer>
export type Answer = v.InferOutput<typeof Answer>
export type Usage = v.InferOutput<typeof Usage>

export type Decision = Pick<v.InferOutput<typeof DecisionAnswer>, 'id' | 'model' | 'answers' | 'usage'> & {
  latencyMs: number
  warnings: readonly string[]
}
