import type { ProblemCode } from '../problem.ts'

/** All that is ever kept about a request. A field that is not here cannot be logged. */
export type ActivityRecord = {
  requestId: string
  keyId: string | null
  accountId: string | null
  /** The route's own pattern, never the URL as sent. */
  path: string
  status: number
  errorCode: ProblemCode | null
  latencyMs: number
  model: string | null
  region: string
  inputTokens: number
  cachedTokens: number
  questionCount: number
  /** Unix milliseconds. */
  at: number
}

export type ActivityLog = {
  /** Work the request must stay alive for; null if it has nothing left to do. */
  record(entry: ActivityRecord): Promise<void> | null
}
