import { costNanodollars } from '../decision/usage.ts'
import { formatDollars } from '../money/nanodollars.ts'
import type { PlacedRow } from './activity.ts'
import { writeCursor } from './query.ts'
import type { ActivityPage, DatedUsage } from './reader.ts'
import type * as wire from './wire.ts'

// How activity is written in answers.

export const activityView = ({ rows, next }: ActivityPage): wire.ActivityList => ({
  object: 'list',
  data: rows.map(rowView),
  next_cursor: next === null ? null : writeCursor(next),
})

export const usageView = (days: DatedUsage[]): wire.AccountUsage => ({
  object: 'account.usage',
  data: days.map(({ day, usage }) => {
    const cost = costNanodollars(usage.inputTokens, usage.cachedTokens)
    return {
      day,
      requests: usage.requests,
      input_tokens: usage.inputTokens,
      cached_tokens: usage.cachedTokens,
      cost_usd: formatDollars(cost),
      cost_nanodollars: cost,
      latency_ms: usage.latencyMs,
      errors: usage.errors,
    }
  }),
})

const rowView = (row: PlacedRow): wire.ActivityEntry => ({
  request_id: row.requestId,
  key_id: row.keyId,
  at: new Date(row.at).toISOString(),
  path: row.path,
  status: row.status,
  error_code: row.errorCode,
  latency_ms: row.latencyMs,
  model: row.model,
  region: row.region,
  input_tokens: row.inputTokens,
  cached_tokens: row.cachedTokens,
  question_count: row.questionCount,
  cost_usd: formatDollars(row.status === 200 ? costNanodollars(row.inputTokens, row.cachedTokens) : 0),
})
