// What the request path needs to know about keys, limits and money, whatever implements it.

/** The values of the x-ratelimit-* headers. */
export type Rates = {
  limitRequests: number
  remainingRequests: number
  resetRequestsSeconds: number
  limitTokens: number
  remainingTokens: number
  resetTokensSeconds: number
}

export type Owner = { keyId: string; accountId: string }

type Invalid = { kind: 'invalid_api_key' }

/** So many requests come with this key that nobody could look whose it is. */
export type Overloaded = { kind: 'overloaded' }

export type Refused =
  | Invalid
  | Overloaded
  | ({ kind: 'insufficient_credits'; rates: Rates } & Owner)
  | ({ kind: 'rate_limited' | 'token_rate_limited'; rates: Rates; retryAfterSeconds: number } & Owner)

export type Admitted = Owner & {
  kind: 'admitted'
  rates: Rates
  /** Replaces the reservation with actual usage, once. Never throws: a lost settlement undercharges. */
  settle(spent: Spent): Promise<Settled>
  /** Instead of settling: returns the tokens and the request itself, as if it had never been made. */
  cancel(): Promise<void>
}

type Admission = Admitted | Refused

/** Whose key it is. Its account may be read only so often. */
export type Identity =
  | Invalid
  | (Owner & { kind: 'known'; rates: Rates })
  | (Owner & { kind: 'rate_limited'; rates: Rates; retryAfterSeconds: number })

/** Actual usage of an admitted request; zero if it was refused later or failed. */
export type Spent = { inputTokens: number; costNanodollars: number }

export const NOTHING_SPENT: Spent = { inputTokens: 0, costNanodollars: 0 }

type Settled = {
  rates: Rates
  /** Work the request must stay alive for, though its answer need not wait; null if another request does it. */
  delivered: Promise<void> | null
}

export type Gatekeeper = {
  /** May this key spend up to `tokens` tokens now? Counts one request and reserves the tokens. */
  admit(keyHash: string, tokens: number): Promise<Admission>
  /** May this key read its account now? Needs no balance, and counts no decision. */
  identify(keyHash: string): Promise<Identity | Overloaded>
}
