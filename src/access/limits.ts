/** How fast a key may go. */
export type Limits = { requestsPerSecond: number; burst: number; tokensPerMinute: number }

export type KeyKind = 'standard' | 'playground'

/** Capacity bought for one key; a null leaves the kind's own limit. */
export type ReservedRates = { requestsPerSecond: number | null; tokensPerMinute: number | null }

const TOKENS_PER_MINUTE = 20_000_000
const REQUESTS_PER_SECOND = { standard: 200, playground: 5 } as const
/** A pause of two seconds saves up for as much again. */
const BURST_SECONDS = 2

export const limitsOf = (kind: KeyKind, reserved: ReservedRates): Limits =>
  limitsAt(
    reserved.requestsPerSecond ?? REQUESTS_PER_SECOND[kind],
    reserved.tokensPerMinute ?? TOKENS_PER_MINUTE,
  )

export const limitsAt = (requestsPerSecond: number, tokensPerMinute: number): Limits => ({
  requestsPerSecond,
  burst: requestsPerSecond * BURST_SECONDS,
  tokensPerMinute,
})
