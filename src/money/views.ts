import type { AccountSummary } from './account.ts'
import type { DirectoryEntry } from './directory.ts'
import type { ApiKeyInfo } from './keyring.ts'
import type { Charge, Credit } from './ledger.ts'
import { formatDollars } from './nanodollars.ts'
import type * as wire from './wire.ts'

// How accounts, credits and keys are written in answers: snake case, ISO times, money both exact and readable.

export const accountView = (account: AccountSummary): wire.AccountBalance => ({
  id: account.id,
  object: 'account',
  name: account.name,
  created_at: isoTime(account.createdAt),
  verified_at: time(account.verifiedAt),
  balance_usd: formatDollars(account.balance),
  balance_nanodollars: account.balance,
  credits_nanodollars: account.credits,
  charges_nanodollars: account.charges,
  auto_reload: account.autoReload && {
    threshold_usd: formatDollars(account.autoReload.threshold),
    amount_usd: formatDollars(account.autoReload.amount),
    last_fired_at: time(account.lastReload?.startedAt ?? null),
    last_outcome: account.lastReload?.outcome ?? null,
    can_pay: account.reloadsCanPay,
  },
  live_keys: account.liveKeys,
})

/** What only the operator sees: a closed account has no key left to read it with. */
export const operatorsView = (account: AccountSummary) => ({
  ...accountView(account),
  closed_at: time(account.closedAt),
})

export const entryView = ({ createdAt, closedAt, ...entry }: DirectoryEntry) => ({
  ...entry,
  created_at: isoTime(createdAt),
  closed_at: time(closedAt),
})

export const creditView = (credit: Credit): wire.Credit => ({
  at: isoTime(credit.at),
  kind: credit.kind,
  amount_usd: formatDollars(credit.nanodollars),
  amount_nanodollars: credit.nanodollars,
})

/** What only the operator sees of a credit: also its reference as it was given, without the ledger's prefix. */
export const bookingView = (credit: Credit) => ({
  ...creditView(credit),
  reference: credit.reference.slice(credit.reference.indexOf(':') + 1),
})

export const chargeView = (charge: Charge) => ({
  day: charge.day,
  key_id: charge.keyId,
  requests: charge.requests,
  input_tokens: charge.inputTokens,
  cost_usd: formatDollars(charge.nanodollars),
  cost_nanodollars: charge.nanodollars,
})

export const keyView = (key: ApiKeyInfo): wire.ApiKey => ({
  id: key.id,
  object: 'api_key',
  kind: key.kind,
  name: key.name,
  hint: key.hint,
  created_at: isoTime(key.createdAt),
  expires_at: time(key.expiresAt),
  revoked_at: time(key.revokedAt),
  revoked_because: key.revokedBecause,
  limits: {
    requests_per_second: key.limits.requestsPerSecond,
    burst: key.limits.burst,
    tokens_per_minute: key.limits.tokensPerMinute,
  },
  reserved: {
    requests_per_second: key.reserved.requestsPerSecond,
    tokens_per_minute: key.reserved.tokensPerMinute,
  },
})

const isoTime = (ms: number): string => new Date(ms).toISOString()
const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))
