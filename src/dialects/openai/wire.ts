// The wire format of the answers of OpenAI's Decisions API.
import * as v from 'valibot'
import { amount, count, share } from '../../figures.ts'
import { CODES, TYPES } from '../../problem.ts'

const name = v.nullable(v.string())
const value = v.union([v.string(), v.boolean()])

export const OpenAIPredicateAnswer = v.object({ type: v.literal('predicate'), name, probability: share })

export const OpenAIChoiceAnswer = v.object({
  type: v.literal('choice'),
  name,
  choice: value,
  confidence: share,
  probabilities: v.array(v.object({ value, probability: share })),
})

export const OpenAIScoreAnswer = v.object({
  type: v.literal('score'),
  name,
  score: amount,
  confidence: share,
  probabilities: v.array(v.object({ label: v.string(), value: count, probability: share })),
})

export const OpenAIAnswer = v.variant('type', [OpenAIPredicateAnswer, OpenAIChoiceAnswer, OpenAIScoreAnswer])

export const OpenAIDecision = v.object({
  answers: v.array(OpenAIAnswer),
  model: v.string(),
  usage: v.object({
    input_tokens: count,
    input_tokens_details: v.object({ cached_tokens: count, cache_write_tokens: count }),
    output_tokens: count,
    output_tokens_details: v.object({ reasoning_tokens: count }),
    total_tokens: count,
  }),
  warnings: v.optional(v.array(v.string())),
})

export const OpenAIError = v.object({
  error: v.object({
    message: v.string(),
    type: v.picklist(TYPES),
    param: v.nullable(v.string()),
    code: v.picklist(CODES),
  }),
})

export const OpenAIModel = v.object({
  id: v.string(),
  object: v.literal('model'),
  created: count,
  owned_by: v.string(),
  shutdown_date: v.nullable(v.string()),
})

export const OpenAIModelList = v.object({ object: v.literal('list'), data: v.array(OpenAIModel) })
