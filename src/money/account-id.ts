import { randomBytes } from 'node:crypto'
import { newId } from '../ids.ts'

export const newAccountId = (): string => newId('acct', randomBytes)

/** An id of the wrong form never becomes a Durable Object. */
export const isAccountId = (text: string): boolean => /^acct_[0-9a-f]{24}$/.test(text)
