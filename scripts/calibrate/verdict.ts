import { lowerErrorBound, upperErrorBound } from '../../src/calibration/clopper-pearson.ts'
import { acceptancePrefixes, CONFIDENCE } from '../../src/calibration/cutoff.ts'
import type { Judged } from '../../src/calibration/row.ts'

/** How many of the answers that were let through are wrong, and between which rates that leaves the truth. */
export type Evidence = { answered: number; wrong: number; atLeast: number; atMost: number }

/**
 * Each bound holds with 90% confidence. As in a fit, copies of a state prove nothing: errors are counted by rows and by
 * states, and the bound that says less is taken.
 */
export const evidenceOf = (letThrough: readonly Judged[]): Evidence => {
  const all = acceptancePrefixes(letThrough).at(-1)
  const { rows = 0, wrongRows = 0, states = 0, wrongStates = 0 } = all ?? {}
  return {
    answered: rows,
    wrong: wrongRows,
    atLeast: Math.min(
      lowerErrorBound(wrongRows, rows, CONFIDENCE),
      lowerErrorBound(wrongStates, states, CONFIDENCE),
    ),
    atMost: Math.max(
      upperErrorBound(wrongRows, rows, CONFIDENCE),
      upperErrorBound(wrongStates, states, CONFIDENCE),
    ),
  }
}

export type Verdict = 'keeps' | 'breaks' | 'unsure' | 'silent' | 'not covered'

/**
 * Whichever of the two bounds decides, it is mistaken at most one time in ten. Where the target lies between them,
 * neither does.
 */
export const verdictOn = (evidence: Evidence | null, targetError: number): Verdict => {
  if (evidence === null) return 'not covered'
  if (evidence.answered === 0) return 'silent'
  if (evidence.atMost <= targetError) return 'keeps'
  return evidence.atLeast > targetError ? 'breaks' : 'unsure'
}
