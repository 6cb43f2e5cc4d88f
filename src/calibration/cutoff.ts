import { fewestTrials } from './clopper-pearson.ts'
import { CONFIDENCE, type Counts, staysWithin } from './error-bounds.ts'
import type { Judged } from './row.ts'

const STEPS = 100
/** The sequence starts where up to ten errors are forgiven: a few confident mistakes should not end it at once. */
const FORGIVEN = 10
/** But it starts neither among a small part of many states nor beyond what a hard question may let it accept. */
const LEAST_SHARE = 0.1
const MOST_SHARE = 0.2

/**
 * The lowest confidence worth accepting: the loosest threshold at which the error rate of what it accepts is
 * certified to stay within `targetError`. Null if nothing can be certified. The threshold is on the scale of
 * `shipped`, whose confidences must be those that decisions will get.
 *
 * Thresholds are tested from strict to loose, in a sequence fixed by the number of states and the target alone, up
 * to the first that fails. Errors grow with looseness, so the promise can only break at the first threshold that
 * breaks the target, and there the bound fails to notice one time in ten.
 *
 * The others are the same rows on scales that the labels influenced less or otherwise, and every count must pass in
 * all of them. The labels influenced the shipped scale, and through it the order and, with offsets, which answers are
 * right; they must not get to choose the most flattering one.
 */
export const certifyCutoff = (
  shipped: readonly Judged[],
  others: readonly (readonly Judged[])[],
  targetError: number,
): number | null => {
  const accepting = acceptancePrefixes(shipped)
  const alsoAccepting = others.map(acceptancePrefixes)
  let cutoff: number | null = null
  for (const accepted of sequence(accepting.at(-1)?.states ?? 0, targetError)) {
    const passing = (prefixes: readonly Prefix[]): Prefix | undefined => {
      const reached = prefixes.find(({ states }) => states >= accepted)
      return reached !== undefined && staysWithin(targetError, reached) ? reached : undefined
    }
    const reached = passing(accepting)
    if (reached === undefined || alsoAccepting.some(prefixes => passing(prefixes) === undefined)) break
    cutoff = justBelow(reached.threshold)
  }
  return cutoff
}

/** The confidence of a no is one minus that of yes: its last digit may differ, and it must still be accepted. */
const justBelow = (threshold: number): number => threshold * (1 - 1e-12)

/** What is accepted at `threshold`: whole tie groups, from the top down. */
export type Prefix = Counts & { threshold: number }

/** One prefix per distinct confidence, strictest first. Those that a cutoff could not tell apart are not distinct. */
export const acceptancePrefixes = (judged: readonly Judged[]): Prefix[] => {
  const sorted = judged.toSorted((one, other) => other.confidence - one.confidence)
  const states = new Set<string>()
  const wrongStates = new Set<string>()
  const prefixes: Prefix[] = []
  let wrongRows = 0
  for (const [index, { confidence, correct, group }] of sorted.entries()) {
    states.add(group)
    if (!correct) {
      wrongRows += 1
      wrongStates.add(group)
    }
    if ((sorted[index + 1]?.confidence ?? 0) >= justBelow(confidence)) continue
    prefixes.push({
      threshold: confidence,
      rows: index + 1,
      wrongRows,
      states: states.size,
      wrongStates: wrongStates.size,
    })
  }
  return prefixes
}

/** Numbers of accepted states to test, evenly spaced on a logarithmic scale, up to all of them. */
const sequence = (states: number, targetError: number): number[] => {
  if (fewestTrials(0, targetError, CONFIDENCE) > states) return []
  const first = firstCount(states, targetError)
  const ratio = states / first
  const counts = Array.from({ length: STEPS }, (_, step) => Math.round(first * ratio ** (step / (STEPS - 1))))
  return [...new Set(counts)]
}

const firstCount = (states: number, targetError: number): number => {
  let count = fewestTrials(0, targetError, CONFIDENCE)
  for (let errors = 1; errors <= FORGIVEN; errors++) {
    const next = fewestTrials(errors, targetError, CONFIDENCE)
    if (next > MOST_SHARE * states) break
    count = next
  }
  return Math.max(count, Math.ceil(LEAST_SHARE * states))
}
