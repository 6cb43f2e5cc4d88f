import type { Answer, Decision, Usage } from '../../decision/decision.ts'
import { type Json, type JsonObject, objectOf } from '../../json/json.ts'
import type { Posed } from './questions.ts'

/** The decision as this API answers it: an array in question order. */
export const written = (decision: Decision, posed: ReadonlyMap<string, Posed>): JsonObject =>
  objectOf({
    answers: [...posed].map(([id, question]) => answerOf(question, decision.answers.get(id))),
    model: decision.model,
    usage: writtenUsage(decision.usage),
    warnings: decision.warnings.length > 0 ? decision.warnings : undefined,
  })

const answerOf = (posed: Posed, answer: Answer | undefined): JsonObject => {
  const { name } = posed
  if (posed.type === 'predicate' && answer?.type === 'noul') {
    return objectOf({ type: 'predicate', name, probability: answer.noul })
  }
  if (posed.type === 'choice' && answer?.type === 'choice') {
    const value = (key: string): Json => posed.values.get(key) ?? key
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
  if (posed.type === 'score' && answer?.type === 'score') {
    return objectOf({
      type: 'score',
      name,
      score: answer.score,
      confidence: answer.confidence,
      probabilities: [...answer.probabilities.values()].map((probability, index) =>
        objectOf({ label: posed.labels[index], value: index, probability }),
      ),
    })
  }
  throw new Error('an answer does not match its question')
}

const writtenUsage = (usage: Usage): JsonObject =>
  objectOf({
    input_tokens: usage.input_tokens,
    input_tokens_details: objectOf({ cached_tokens: usage.cached_tokens, cache_write_tokens: 0 }),
    output_tokens: usage.output_tokens,
    output_tokens_details: objectOf({ reasoning_tokens: 0 }),
    total_tokens: usage.input_tokens + usage.output_tokens,
  })
