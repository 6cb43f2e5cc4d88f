// The one shape every dialect reads into and answers from.
import type { Json, JsonObject } from '../json/json.ts'

export type ChoiceQuestion = { type: 'choice'; instructions: Json; criteria: JsonObject }
export type NoulQuestion = { type: 'noul'; instructions: Json; criteria: { true: Json; false: Json } }
export type ScoreQuestion = { type: 'score'; instructions: Json; criteria: readonly Json[] }
/** `null` stands for instructions or a description that were not given. */
export type Question = ChoiceQuestion | NoulQuestion | ScoreQuestion

export type DecisionRequest = {
  state: Json
  questions: ReadonlyMap<string, Question>
  model: string
  calibration: string | null
  orderInvariant: boolean
  warnings: readonly string[]
}

export type AnswerMetadata = {
  calibrated: boolean
  p_top: number
  abstain: boolean | null
  confidence_winning: number
  confidence_normalized: number
}

/** Per option, in the question's order. */
export type Distribution = ReadonlyMap<string, number>

export type Answer =
  | {
      type: 'choice'
      choice: string
      probabilities: Distribution
      logits: Distribution
      confidence: number
      decider: AnswerMetadata
    }
  | { type: 'noul'; noul: number; probabilities: Distribution; logits: Distribution; decider: AnswerMetadata }
  | {
      type: 'score'
      score: number
      legend: ReadonlyMap<string, Json>
      probabilities: Distribution
      logits: Distribution
      confidence: number
      decider: AnswerMetadata
    }

export type Usage = {
  input_tokens: number
  state_tokens: number
  question_tokens: number
  framing_tokens: number
  image_tokens: number
  cached_tokens: number
  output_tokens: number
  cost_usd: number
}

export type Decision = {
  id: string
  model: string
  answers: ReadonlyMap<string, Answer>
  usage: Usage
  latencyMs: number
  warnings: readonly string[]
}
