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
  /** What the request has to live on for; null where nothing of it is left to do. */
  record(entry: ActivityRecord): Promise<void> | null
}
