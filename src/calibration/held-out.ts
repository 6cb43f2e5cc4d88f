import type { MetricsAfter } from './wire.ts'

/** How many answers were given out of fold, and how many of them were wrong: the counts behind the two shares. */
export const heldOutCounts = ({
  n,
  coverage_at_target_error,
  error_when_covered,
}: Pick<MetricsAfter, 'n' | 'coverage_at_target_error' | 'error_when_covered'>): {
  answered: number
  wrong: number
} => {
  const answered = Math.round(n * coverage_at_target_error)
  return { answered, wrong: Math.round(answered * (error_when_covered ?? 0)) }
}
