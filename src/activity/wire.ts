// The wire format of what an account did and spent.
import * as v from 'valibot'
import { amount, count, total } from '../figures.ts'
import { dollars, nanodollars, time } from '../money/wire.ts'

export const ActivityEntry = v.object({
  request_id: v.string(),
  key_id: v.nullable(v.string()),
  at: time,
  path: v.string(),
  status: v.pipe(v.number(), v.integer()),
  error_code: v.nullable(v.string()),
  latency_ms: amount,
  model: v.nullable(v.string()),
  region: v.string(),
  input_tokens: count,
  cached_tokens: count,
  question_count: count,
  cost_usd: dollars,
})

export const ActivityList = v.object({
  object: v.literal('list'),
  data: v.array(ActivityEntry),
  next_cursor: v.nullable(v.string()),
})

export const AccountDay = v.object({
  day: v.pipe(v.string(), v.isoDate()),
  requests: count,
  input_tokens: total,
  cached_tokens: total,
  cost_usd: dollars,
  cost_nanodollars: nanodollars,
  latency_ms: v.nullable(v.object({ p50: amount, p95: amount, p99: amount })),
  errors: v.record(v.string(), count),
})

export const AccountUsage = v.object({ object: v.literal('account.usage'), data: v.array(AccountDay) })

export type ActivityEntry = v.InferOutput<typeof ActivityEntry>
export type ActivityList = v.InferOutput<typeof ActivityList>
export type AccountUsage = v.InferOutput<typeof AccountUsage>
