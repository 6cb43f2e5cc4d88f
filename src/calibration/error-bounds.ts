import { isErrorWithin, lowerErrorBound, upperErrorBound } from './clopper-pearson.ts'
import type { Judged } from './row.ts'

/** How sure each bound is. A fit uses the upper one, so at most one fit in ten may end up above its target. */
export const CONFIDENCE = 0.9

/** Answers and how many of them are wrong, by rows and by states. One wrong row condemns its state. */
export type Counts = { rows: number; wrongRows: number; states: number; wrongStates: number }

export const countsOf = (judged: readonly Judged[]): Counts => {
  const wrong = judged.filter(({ correct }) => !correct)
  return {
    rows: judged.length,
    wrongRows: wrong.length,
    states: statesOf(judged),
    wrongStates: statesOf(wrong),
  }
}

const statesOf = (judged: readonly Judged[]): number => new Set(judged.map(({ group }) => group)).size

// Copies of a state prove nothing new. So errors are counted by rows and by states, and the bound that says less holds.

export const errorAtMost = ({ rows, wrongRows, states, wrongStates }: Counts): number =>
  Math.max(upperErrorBound(wrongRows, rows, CONFIDENCE), upperErrorBound(wrongStates, states, CONFIDENCE))

/** `errorAtMost(counts) <= limit`, in a fraction of the time: the search for a cutoff asks this most. */
export const staysWithin = (limit: number, { rows, wrongRows, states, wrongStates }: Counts): boolean =>
  isErrorWithin(limit, wrongRows, rows, CONFIDENCE) && isErrorWithin(limit, wrongStates, states, CONFIDENCE)

export const errorAtLeast = ({ rows, wrongRows, states, wrongStates }: Counts): number =>
  Math.min(lowerErrorBound(wrongRows, rows, CONFIDENCE), lowerErrorBound(wrongStates, states, CONFIDENCE))
