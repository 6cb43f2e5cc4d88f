import type { Log } from './log.ts'
import type { Flaw } from './router/signature.ts'

const LINE_MS = 60_000

/** Logs how many signatures were refused, and why, in at most one line a minute, whatever strangers send. */
export const refusedSignatures = (log: Log): ((why: Flaw) => void) => {
  const counts = new Map<Flaw, number>()
  let pause: NodeJS.Timeout | undefined
  const tell = () => {
    pause = undefined
    if (counts.size === 0) return
    log.event('signatures_refused', Object.fromEntries(counts))
    counts.clear()
    pause = setTimeout(tell, LINE_MS).unref()
  }
  return why => {
    counts.set(why, (counts.get(why) ?? 0) + 1)
    if (pause === undefined) tell()
  }
}
