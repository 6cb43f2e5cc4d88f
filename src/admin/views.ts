import type { AccountSummary } from '../money/account.ts'
import type { ApiKeyInfo } from '../money/keyring.ts'
import { formatDollars } from '../money/nanodollars.ts'

// How accounts and keys are written in answers: snake case, ISO times, money both exact and readable.

export const accountView = (account: AccountSummary) => ({
  id: account.id,
  object: 'account',
  name: account.name,
  created_at: time(account.createdAt),
  verified_at: time(account.verifiedAt),
  balance_usd: formatDollars(account.balance),
  balance_nanodollars: account.balance,
  credits_nanodollars: account.credits,
  charges_nanodollars: account.charges,
  live_keys: account.liveKeys,
})

export const keyView = (key: ApiKeyInfo) => ({
  id: key.id,
  object: 'api_key',
  kind: key.kind,
  name: key.name,
  hint: key.hint,
  created_at: time(key.createdAt),
  expires_at: time(key.expiresAt),
  revoked_at: time(key.revokedAt),
  requests_per_second: key.reserved.requestsPerSecond,
  tokens_per_minute: key.reserved.tokensPerMinute,
})

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
