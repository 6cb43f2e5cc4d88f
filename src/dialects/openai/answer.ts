import type { Answer, Decision, Usage } from '../../decision/decision.ts'
import { type Json, type JsonObject, objectOf } from '../../json/json.ts'
import type { Asked } from './questions.ts'

/** The decision as this API answers it: an array in question order. */
export const written = (decision: Decision, asked: ReadonlyMap<string, Asked>): JsonObject =>
  objectOf({
    answers: [...asked].map(([id, question]) => answerOf(question, decision.answers.get(id))),
    model: decision.model,
    usage: usageOf(decision.usage),
    warnings: decision.warnings.length > 0 ? decision.warnings : undefined,
  })

const answerOf = (asked: Asked, answer: Answer | undefined): JsonObject => {
  const { name } = asked
  if (asked.type === 'predicate' && answer?.type === 'noul') {
    return objectOf({ type: 'predicate', name, probability: answer.noul })
  }
  if (asked.type === 'choice' && answer?.type === 'choice') {
    const value = (key: string): Json => asked.values.get(key) ?? key
    return objectOf({
      type: 'choice',
      name,
      choice: value(answer.choice),
      confidence: answer.confidence,
      probabilities: [...answer.probabilities].map(([key, probability]) =>
        objectOf({ value: value(key), probability }),
      ),
    })
  }
  if (asked.type === 'score' && answer?.type === 'score') {
    return objectOf({
      type: 'score',
      name,
      score: answer.score,
      confidence: answer.confidence,
      probabilities: [...answer.probabilities.values()].map((probability, index) =>
        objectOf({ label: asked.labels[index], value: index, probability }),
      ),
    })
  }
  throw new Error('an answer does not match its question')
}

const usageOf = (usage: Usage): JsonObject =>
  objectOf({
    input_tokens: usage.input_tokens,
    input_tokens_details: objectOf({ cached_tokens: usage.cached_tokens, cache_write_tokens: 0 }),
    output_tokens: usage.output_tokens,
    output_tokens_details: objectOf({ reasoning_tokens: 0 }),
    total_tokens: usage.input_tokens + usage.output_tokens,
  })
