import type { MetricsAfter } from './wire.ts'

/** How many answers were given out of fold, and how many of them were wrong: the counts behind the two shares. */
export const heldOutCounts = (after: MetricsAfter): { answered: number; wrong: number } => {
  const answered = Math.round(after.n * after.coverage_at_target_error)
  return { answered, wrong: Math.round(answered * (after.error_when_covered ?? 0)) }
}
