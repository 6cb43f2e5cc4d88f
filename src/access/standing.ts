import type { Limits } from './limits.ts'

/** What an account tells a key's Gate about the key. A higher version replaces a lower one, never the reverse. */
export type Standing = {
  version: number
  keyId: string
  accountId: string
  limits: Limits
  /** Unix milliseconds. */
  expiresAt: number | null
  revoked: boolean
  /** False while the account's balance is zero or below. */
  funded: boolean
  /** What this key may spend, in nanodollars, before it must hand over to the account at once. */
  allowance: number
}

export const isLive = (standing: Standing, now: number): boolean =>
  !standing.revoked && (standing.expiresAt === null || now < standing.expiresAt)
