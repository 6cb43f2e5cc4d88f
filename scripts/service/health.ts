import type { Child } from './child.ts'

const START_DEADLINE_MS = 120_000

/** Waits until the service at the address reports that it is healthy; throws if its process ends or time runs out. */
export const healthy = async (child: Child, url: string, signal?: AbortSignal): Promise<void> => {
  let ended: string | null = null
  void child.ended.then(reason => {
    ended = reason
  })
  for (const start = Date.now(); Date.now() - start < START_DEADLINE_MS; ) {
    signal?.throwIfAborted()
    if (ended !== null) throw new Error(explain(child, ended))
    // Wrangler reports what keeps it from starting and then waits for the source to change.
    if (child.lastLines().some(line => line.includes('[ERROR]')))
      throw new Error(explain(child, `${child.name} could not start`))
    const health = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })
      .then(answer => answer.json() as Promise<{ ok: boolean }>)
      .catch(() => null)
    if (health?.ok === true) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(explain(child, `${child.name} did not become healthy within ${START_DEADLINE_MS / 1000} s`))
}

export const explain = (child: Child, reason: string): string =>
  [`${reason}.`, ...child.lastLines()].join('\n  ')
