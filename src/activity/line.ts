import type { ActivityRecord } from './record.ts'

/** Writes the request's one line to the platform's log. Nothing but a record can become one. */
export const writeLine = (entry: ActivityRecord): void => {
  // biome-ignore lint/suspicious/noConsole: this is the log
  console.log(lineOf(entry))
}

const lineOf = (entry: ActivityRecord): string =>
  JSON.stringify({
    request_id: entry.requestId,
    key_id: entry.keyId,
    path: entry.path,
    status: entry.status,
    error_code: entry.errorCode,
    latency_ms: entry.latencyMs,
    model: entry.model,
    region: entry.region,
    input_tokens: entry.inputTokens,
    cached_tokens: entry.cachedTokens,
    question_count: entry.questionCount,
  })
