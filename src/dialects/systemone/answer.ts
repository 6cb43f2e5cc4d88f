import type { Answer, Decision, Usage } from '../../decision/decision.ts'
import { type JsonObject, objectOf } from '../../json/json.ts'
import { KeyedByCaller } from '../../json/keyed-by-caller.ts'

/** The decision as System One answers it; what this service adds is prefixed `x_`. */
export const written = (decision: Decision): JsonObject =>
  objectOf({
    model: decision.model,
    answers: new KeyedByCaller([...decision.answers].map(([id, answer]) => [id, answerOf(answer)])),
    usage: writtenUsage(decision.usage),
    x_id: decision.id,
    x_latency_ms: decision.latencyMs,
    x_warnings: decision.warnings.length > 0 ? decision.warnings : undefined,
  })

const answerOf = (answer: Answer): JsonObject => {
  const extras = { x_logits: answer.logits, x_decider: objectOf(answer.decider) }
  switch (answer.type) {
    case 'choice':
      return objectOf({
        type: answer.type,
        choice: answer.choice,
        probabilities: answer.probabilities,
        confidence: answer.confidence,
        ...extras,
      })
    case 'noul':
      return objectOf({
        type: answer.type,
        noul: answer.noul,
        x_probabilities: answer.probabilities,
        ...extras,
      })
    case 'score':
      return objectOf({
        type: answer.type,
        score: answer.score,
        legend: answer.legend,
        probabilities: answer.probabilities,
        confidence: answer.confidence,
        ...extras,
      })
  }
}

const writtenUsage = ({ input_tokens, output_tokens, ...ours }: Usage): JsonObject =>
  objectOf({
    input_tokens,
    output_tokens,
    ...Object.fromEntries(Object.entries(ours).map(([name, value]) => [`x_${name}`, value])),
  })
