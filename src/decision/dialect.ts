import type { Json, JsonObject } from '../json/json.ts'
import type { Problem } from '../problem.ts'
import type { Decision } from './decision.ts'
import type { DecisionRequest } from './request.ts'

/** Two pure mappings between a foreign API and ours; everything between them is shared. */
export type Dialect = {
  /** Content codings that its published clients send, besides identity. */
  encodings: readonly 'zstd'[]
  /** How long the engine may take: less than its clients wait, or they would never learn that it took too long. */
  deadlineMs: number
  /** Where its clients list the models. */
  models: '/v1/models' | '/openai/v1/models'
  /** The state of a body, or as much as was read: one that is too large to be read is refused before anything else. */
  state(body: Json): Json | undefined
  /** Reads a body into our request, and says how to write the decision back. Throws Problem. */
  read(body: Json): { request: DecisionRequest; write(decision: Decision): JsonObject }
  /** The status and body of a refusal, in this API's own shape. */
  refuse(problem: Problem): { status: number; body: JsonObject }
}
