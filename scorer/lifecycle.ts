import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { describeFault, type Log } from './log.ts'
import { within } from './within.ts'

export type Stoppable = {
  server: Server
  /** Refuses what is new, resolves when what is under way is answered. */
  drain(): Promise<void>
  /** Ends the engine after the run it is in; what it had not finished is refused. */
  close(): Promise<void>
  drainMs: number
  log: Log
}

/** The engine's longest single run, and some time to send the last answers. */
const CLOSE_MS = 5_000

/** SIGTERM and SIGINT: refuse, finish, exit 0 once the engine is at rest. While it drains the service still answers, with 503. */
export const stopOnSignal = (parts: Stoppable): void => {
  const allSent = answersOf(parts.server)
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    parts.log.event('draining')
    const draining = parts.drain().then(() => true)
    const drained = await within(draining, parts.drainMs, false)
    let atRest = false
    const closing = parts.close().then(async () => {
      atRest = true
      await allSent()
      await closed(parts.server)
    })
    await within(closing, CLOSE_MS, null)
    parts.log.event('stopped', { drained })
    if (!atRest) leaveAtOnce(0)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

/**
 * While a thread is inside a run `process.exit` aborts the process, and what aborts may leave its memory on disk, as a
 * core dump. What is killed leaves nothing.
 */
const leaveAtOnce = (code: number): void => {
  process.kill(process.pid, 'SIGKILL')
  // The first process of a container cannot kill itself.
  process.exit(code)
}

/** Waits for answers that are on their way out: to Node their connections are idle, and closing would cut them off. */
const answersOf = (server: Server): (() => Promise<unknown>) => {
  const open = new Set<ServerResponse>()
  server.on('request', (_, response: ServerResponse) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  return () => Promise.all([...open].filter(one => one.writableEnded).map(one => once(one, 'close')))
}

/** Connections that idle are closed with it. */
const closed = (server: Server): Promise<void> => new Promise(resolve => server.close(() => resolve()))

/** A fault nobody caught ends the process: told by name and functions only, then whoever supervises starts anew. */
export const endOnFault = (log: Log): ((fault: unknown) => void) => {
  const end = (fault: unknown): void => {
    log.event('fault', describeFault(fault))
    leaveAtOnce(1)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
  return end
}

/** Node's own fatal reports hold environment and stacks: whatever NODE_OPTIONS says, there are none. */
export const forbidReports = (): void => {
  process.report.reportOnFatalError = false
  process.report.reportOnUncaughtException = false
  process.report.reportOnSignal = false
}
