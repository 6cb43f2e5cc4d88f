import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from './child.ts'

const START_DEADLINE_MS = 120_000
const RESTART_DEADLINE_MS = 20_000
const PROBE_TIMEOUT_MS = 2_000
const PROBE_EVERY_MS = 100

/** The edge answers, but nothing except 500: one of its secrets or variables is malformed. */
export class Misconfigured extends Error {}

/** Waits until the service at the address reports that it is healthy; throws if it cannot become so or time runs out. */
export const healthy = async (child: Child, url: string, signal?: AbortSignal): Promise<void> => {
  for (const start = performance.now(); performance.now() - start < START_DEADLINE_MS; ) {
    signal?.throwIfAborted()
    if (!child.isRunning()) throw new Error(explain(child, await child.ended))
    if (child.lastLines().some(keepsFromStarting))
      throw new Error(explain(child, `${child.name} could not start`))
    const reported = await health(url)
    if (reported === true) return
    if (reported === 'internal_error')
      throw new Misconfigured(explain(child, `${child.name} answers only 500`))
    await pause(PROBE_EVERY_MS)
  }
  throw new Error(explain(child, `${child.name} did not become healthy within ${START_DEADLINE_MS / 1000} s`))
}

/**
 * Wrangler reports what keeps it from starting and then waits for the source to change. In the same way it reports that a
 * caller hung up in the middle of a body, and goes on.
 */
const keepsFromStarting = (line: string): boolean =>
  line.includes('[ERROR]') && !line.includes('the dev server continues')

/** Whether the service at the address soon reports its health again, good or bad. Also true once its process has ended. */
export const recovers = async (child: Child, url: string): Promise<boolean> => {
  for (
    const start = performance.now();
    performance.now() - start < RESTART_DEADLINE_MS;
    await pause(PROBE_EVERY_MS)
  ) {
    if (!child.isRunning() || (await health(url)) !== null) return true
  }
  return false
}

/** What it reports of itself, or its error; null if it does not answer, or something else does in its place. */
const health = (url: string): Promise<boolean | string | null> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    .then(answer => answer.json() as Promise<{ ok: boolean } | { error: { code: string } }>)
    .then(report => ('ok' in report ? report.ok : report.error.code))
    .catch(() => null)

export const explain = (child: Child, reason: string): string =>
  [`${reason}.`, ...child.lastLines()].join('\n  ')
