import type { TokenisedQuestion } from '../../backend/backend.ts'
import type { Refusal, UnitAnswer } from '../../protocol.ts'

/** A request with all the work done that needs no model: read, checked, rendered and tokenised. */
export type PreparedRequest = { units: PreparedUnit[] } | Refusal

/** A unit to score, or the answer to one that is not scored. */
export type PreparedUnit = ReadyUnit | Exclude<UnitAnswer, { kind: 'scored' }>

export type ReadyUnit = {
  kind: 'ready'
  tenant: string
  snapshot: string
  /** The state's key in the prefix cache. */
  cacheKey: string
  stateIds: Int32Array
  stateTokens: number
  stateFramingTokens: number
  questions: PreparedQuestion[]
}

type PreparedQuestion = { asked: PreparedPass; reversed: PreparedPass | null }

export type PreparedPass = { question: TokenisedQuestion; questionTokens: number; framingTokens: number }

/** All passes of a unit, in order: a question's reversed pass follows its first. */
export const passesOf = (unit: ReadyUnit): PreparedPass[] =>
  unit.questions.flatMap(({ asked, reversed }) => (reversed === null ? [asked] : [asked, reversed]))
