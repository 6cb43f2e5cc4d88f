import type { Log } from './log.ts'
import type { Flaw } from './router/signature.ts'

const LINE_MS = 60_000

/** Logs how many signatures were refused, and why, in at most one line a minute, whatever strangers send. */
export const refusedSignatures = (log: Log, now: () => number): ((why: Flaw) => void) => {
  const counts = new Map<Flaw, number>()
  let loggedAt = Number.NEGATIVE_INFINITY
  return why => {
    counts.set(why, (counts.get(why) ?? 0) + 1)
    // Also if the clock was set back.
    if (Math.abs(now() - loggedAt) < LINE_MS) return
    log.event('signatures_refused', Object.fromEntries(counts))
    counts.clear()
    loggedAt = now()
  }
}
