import { countsOf, errorAtLeast, errorAtMost } from '../../src/calibration/error-bounds.ts'
import type { Judged } from '../../src/calibration/row.ts'

/** How many of the answers that were let through are wrong, and between which rates that leaves the truth. */
export type Evidence = { answered: number; wrong: number; atLeast: number; atMost: number }

/** Bounded as in a fit. */
export const evidenceOf = (letThrough: readonly Judged[]): Evidence => {
  const counts = countsOf(letThrough)
  return {
    answered: counts.rows,
    wrong: counts.wrongRows,
    atLeast: errorAtLeast(counts),
    atMost: errorAtMost(counts),
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
