// What the request path asks of keys, limits and money, whatever stands behind it.

/** The figures of the x-ratelimit-* headers. */
export type Rates = {
  limitRequests: number
  remainingRequests: number
  resetRequestsSeconds: number
  limitTokens: number
  remainingTokens: number
  resetTokensSeconds: number
}

export type Owner = { keyId: string; accountId: string }

export type Refused =
  | { kind: 'invalid_api_key' }
  | ({ kind: 'insufficient_credits'; rates: Rates } & Owner)
  | ({ kind: 'rate_limited' | 'token_rate_limited'; rates: Rates; retryAfterSeconds: number } & Owner)

export type Admitted = Owner & {
  kind: 'admitted'
  rates: Rates
  /** Replaces what was reserved by what was really used, once. Never throws: a lost settlement undercharges. */
  settle(spent: Spent): Promise<Settled>
  /** In place of settling: gives back the request as well, as if it had never been made. */
  cancel(): Promise<void>
}

export type Admission = Admitted | Refused

/** True usage of an admitted request; zero for one that was refused later or failed. */
export type Spent = { inputTokens: number; costNanodollars: number }

export const NOTHING_SPENT: Spent = { inputTokens: 0, costNanodollars: 0 }

export type Settled = {
  rates: Rates
  /** What the request, but not its answer, has to live on for; null where another sees to it. */
  told: Promise<void> | null
}

export type Gatekeeper = {
  /** Is there such a key, and is it live? Nothing is counted. */
  knows(keyHash: string): Promise<boolean>
  /** May this key spend up to so many tokens now? Counts one request and reserves the tokens. */
  admit(keyHash: string, tokens: number): Promise<Admission>
}
