import { createHash } from 'node:crypto'
import type { Question } from './question.ts'
import { wordingOf } from './question-wording.ts'

const HEX_DIGITS = 32

/** Names a question in a profile: equal for questions that are the same to it. */
export const signatureOf = (question: Question): string =>
  createHash('sha256').update(wordingOf(question)).digest('hex').slice(0, HEX_DIGITS)
