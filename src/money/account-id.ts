import { randomBytes } from 'node:crypto'

export const newAccountId = (): string => `acct_${randomBytes(12).toString('hex')}`

/** An id of the wrong form never becomes a Durable Object. */
export const isAccountId = (text: string): boolean => /^acct_[0-9a-f]{24}$/.test(text)
