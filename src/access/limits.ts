/** How fast a key may go. */
export type Limits = { requestsPerSecond: number; burst: number; tokensPerMinute: number }

export type KeyKind = 'standard' | 'playground'

/** Capacity bought for one key; null leaves the limit of the key's kind. */
export type ReservedRates = { requestsPerSecond: number | null; tokensPerMinute: number | null }

const TOKENS_PER_MINUTE = 20_000_000
const REQUESTS_PER_SECOND = { standard: 200, playground: 5 } as const
/** An idle key saves up two seconds' worth of requests. */
const BURST_SECONDS = 2

/** Of reads of the account, which are counted separately from decisions. */
export const ACCOUNT_READS: Limits = { requestsPerSecond: 5, burst: 20, tokensPerMinute: 0 }

const UNRESERVED: ReservedRates = { requestsPerSecond: null, tokensPerMinute: null }

export const limitsOf = (kind: KeyKind, reserved = UNRESERVED): Limits =>
  limitsAt(
    reserved.requestsPerSecond ?? REQUESTS_PER_SECOND[kind],
    reserved.tokensPerMinute ?? TOKENS_PER_MINUTE,
  )

export const limitsAt = (requestsPerSecond: number, tokensPerMinute: number): Limits => ({
  requestsPerSecond,
  burst: requestsPerSecond * BURST_SECONDS,
  tokensPerMinute,
})
