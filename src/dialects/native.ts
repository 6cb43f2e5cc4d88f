// Our own API: the request and answer exactly as specified.
import type { Answer, Decision } from '../decision/decision.ts'
import type { Dialect } from '../decision/dialect.ts'
import { readDecisionRequest, sentState } from '../decision/request.ts'
import { isObject, type JsonObject, objectOf } from '../json/json.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { PROBLEMS, type Problem } from '../problem.ts'

export const native: Dialect = {
  encodings: [],
  deadlineMs: 10_000,
  models: '/v1/models',
  state: body => (isObject(body) ? sentState(body) : undefined),
  read: body => ({ request: readDecisionRequest(body), write: writeDecision }),
  refuse: problem => ({ status: PROBLEMS[problem.code].status, body: envelope(problem) }),
}

const writeDecision = (decision: Decision): JsonObject =>
  objectOf({
    id: decision.id,
    object: 'altdecisions.response',
    model: decision.model,
    answers: new KeyedByCaller([...decision.answers].map(([id, answer]) => [id, writeAnswer(answer)])),
    usage: objectOf(decision.usage),
    latency_ms: decision.latencyMs,
    warnings: decision.warnings.length > 0 ? decision.warnings : undefined,
  })

const writeAnswer = (answer: Answer): JsonObject => objectOf({ ...answer, decider: objectOf(answer.decider) })

const envelope = ({ code, message, param }: Problem): JsonObject =>
  objectOf({ error: objectOf({ type: PROBLEMS[code].type, code, message, param }) })
