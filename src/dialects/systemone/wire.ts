// The wire format of System One's answers.
import * as v from 'valibot'
import { AnswerMetadata, ChoiceAnswer, NoulAnswer, ScoreAnswer, Usage } from '../../decision/decision.ts'
import { amount } from '../../figures.ts'
import { CODES, type ProblemCode } from '../../problem.ts'
import { errorTypeOf, MISSING, statusOf } from './refusal.ts'

const choice = ChoiceAnswer.entries
const noul = NoulAnswer.entries
const score = ScoreAnswer.entries
const usage = Usage.entries
const extras = { x_logits: choice.logits, x_decider: AnswerMetadata }

export const SystemOneChoiceAnswer = v.object({
  type: choice.type,
  choice: choice.choice,
  probabilities: choice.probabilities,
  confidence: choice.confidence,
  ...extras,
})

export const SystemOneNoulAnswer = v.object({
  type: noul.type,
  noul: noul.noul,
  x_probabilities: noul.probabilities,
  x_logits: noul.logits,
  x_decider: AnswerMetadata,
})

export const SystemOneScoreAnswer = v.object({
  type: score.type,
  score: score.score,
  legend: score.legend,
  probabilities: score.probabilities,
  confidence: score.confidence,
  ...extras,
})

export const SystemOneAnswer = v.variant('type', [
  SystemOneChoiceAnswer,
  SystemOneNoulAnswer,
  SystemOneScoreAnswer,
])

export const SystemOneUsage = v.object({
  input_tokens: usage.input_tokens,
  output_tokens: usage.output_tokens,
  x_state_tokens: usage.state_tokens,
  x_question_tokens: usage.question_tokens,
  x_framing_tokens: usage.framing_tokens,
  x_image_tokens: usage.image_tokens,
  x_cached_tokens: usage.cached_tokens,
  x_cost_usd: usage.cost_usd,
})

export const SystemOneResponse = v.object({
  model: v.string(),
  answers: v.map(v.string(), SystemOneAnswer),
  usage: SystemOneUsage,
  x_id: v.string(),
  x_latency_ms: amount,
  x_warnings: v.optional(v.array(v.string())),
})

const isOfAField = (code: ProblemCode): boolean => statusOf(code) === 422
const OTHER_CODES = CODES.filter(code => !isOfAField(code))

export const SystemOneValidationError = v.object({
  detail: v.array(
    v.object({
      type: v.picklist([MISSING, ...CODES.filter(isOfAField)]),
      loc: v.array(v.union([v.string(), v.pipe(v.number(), v.integer())])),
      msg: v.string(),
    }),
  ),
})

export const SystemOneError = v.object({
  detail: v.object({
    error_type: v.picklist([...new Set(OTHER_CODES.map(errorTypeOf))]),
    message: v.string(),
    x_code: v.picklist(OTHER_CODES),
    x_param: v.optional(v.string()),
  }),
})
