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

export type Admission =
  | {
      kind: 'admitted'
      keyId: string
      accountId: string
      rates: Rates
      /** Names what was reserved; give it back to settle. */
      reservation: string
    }
  | { kind: 'invalid_api_key' }
  | { kind: 'insufficient_credits'; keyId: string; accountId: string; rates: Rates }
  | {
      kind: 'rate_limited' | 'token_rate_limited'
      keyId: string
      accountId: string
      rates: Rates
      retryAfterSeconds: number
    }

/** True usage of an admitted request; zero for one that was refused later or failed. */
export type Spent = { inputTokens: number; costNanodollars: number }

export const NOTHING_SPENT: Spent = { inputTokens: 0, costNanodollars: 0 }

export type Gatekeeper = {
  /** May this key spend up to so many tokens now? Counts one request and reserves the tokens. */
  admit(keyHash: string, tokens: number): Promise<Admission>
  /** Replaces a reservation by what was really used. Settling twice changes nothing. */
  settle(keyHash: string, reservation: string, spent: Spent): Promise<Rates>
}
