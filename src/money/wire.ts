// The wire format of what an account may read about itself.
import * as v from 'valibot'
import { count } from '../figures.ts'

export const time = v.pipe(v.string(), v.isoTimestamp())
export const dollars = v.pipe(v.string(), v.regex(/^-?\d+\.\d{2,9}$/))
export const nanodollars = v.pipe(v.number(), v.safeInteger())

export const Credit = v.object({
  at: time,
  kind: v.picklist(['starter', 'top_up', 'auto_reload', 'refund', 'dispute', 'deduction']),
  amount_usd: dollars,
  amount_nanodollars: nanodollars,
})

export const ApiKey = v.object({
  id: v.string(),
  object: v.literal('api_key'),
  kind: v.picklist(['standard', 'playground']),
  name: v.string(),
  hint: v.string(),
  created_at: time,
  expires_at: v.nullable(time),
  revoked_at: v.nullable(time),
  revoked_because: v.nullable(v.picklist(['requested', 'leaked'])),
  limits: v.object({ requests_per_second: count, burst: count, tokens_per_minute: count }),
  reserved: v.object({ requests_per_second: v.nullable(count), tokens_per_minute: v.nullable(count) }),
})

export const AccountBalance = v.object({
  id: v.string(),
  object: v.literal('account'),
  name: v.string(),
  created_at: time,
  verified_at: v.nullable(time),
  balance_usd: dollars,
  balance_nanodollars: nanodollars,
  credits_nanodollars: nanodollars,
  charges_nanodollars: nanodollars,
  auto_reload: v.nullable(
    v.object({
      threshold_usd: dollars,
      amount_usd: dollars,
      last_fired_at: v.nullable(time),
      last_outcome: v.nullable(v.picklist(['unknown', 'paid', 'pending', 'declined', 'given_up'])),
      can_pay: v.boolean(),
    }),
  ),
  live_keys: count,
})

export const Account = v.object({ ...AccountBalance.entries, key: ApiKey, recent_credits: v.array(Credit) })

export type AccountBalance = v.InferOutput<typeof AccountBalance>
export type ApiKey = v.InferOutput<typeof ApiKey>
export type Credit = v.InferOutput<typeof Credit>
