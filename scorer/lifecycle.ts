import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { describeFault, type Log } from './log.ts'
import { within } from './within.ts'

type Stoppable = {
  server: Server
  /** Refuses new requests and resolves when those in progress are answered. */
  drain(): Promise<void>
  /** Ends the engine after its current run. Requests that it has not finished are refused. */
  close(): Promise<void>
  drainMs: number
  log: Log
}

/** Covers the engine's longest single run and some time to send the last answers. */
const CLOSE_MS = 5_000

/**
 * On SIGTERM or SIGINT: refuses new requests, finishes those in progress and exits with 0 once the engine is at rest.
 * While it drains, the service still answers, with 503.
 */
export const stopOnSignal = (parts: Stoppable): void => {
  const answers = answersOf(parts.server)
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
      await allSent(answers)
      await closed(parts.server, answers)
    })
    await within(closing, CLOSE_MS, null)
    parts.log.event('stopped', { drained })
    if (!atRest) leaveAtOnce()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

/**
 * While a thread is inside a run, `process.exit` waits for it, which may be for ever, or aborts the process, which may
 * leave its memory on disk as a core dump. A killed process leaves nothing.
 */
const leaveAtOnce = (): void => {
  process.kill(process.pid, 'SIGKILL')
  // The first process of a container cannot kill itself.
  process.abort()
}

/** The answers that are not sent in full yet, most of them not begun. */
const answersOf = (server: Server): ReadonlySet<ServerResponse> => {
  const open = new Set<ServerResponse>()
  server.on('request', (_, response: ServerResponse) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  return open
}

/** Waits for answers being sent: Node considers their connections idle, so closing the server would cut them off. */
const allSent = (answers: ReadonlySet<ServerResponse>): Promise<unknown> =>
  Promise.all([...answers].filter(one => one.writableEnded).map(one => once(one, 'close')))

/**
 * Closes the server together with its idle connections, and waits for the answers still owed, such as to an upload. Not
 * for every connection: Node does not count one as idle that has not sent a request yet.
 */
const closed = async (server: Server, answers: ReadonlySet<ServerResponse>): Promise<void> => {
  for (const answer of answers) if (!answer.headersSent) answer.setHeader('Connection', 'close')
  server.close()
  await Promise.all([...answers].map(one => once(one, 'close')))
}

/** An uncaught fault, or a dead engine, is logged without its message and ends the process, for a restart. */
export const endOnFault = (log: Log): ((fault: unknown) => void) => {
  const end = (fault: unknown): void => {
    log.event('fatal', describeFault(fault))
    leaveAtOnce()
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
  return end
}

/** Turns off Node's diagnostic reports, which hold the environment and stacks, whatever NODE_OPTIONS says. */
export const forbidReports = (): void => {
  process.report.reportOnFatalError = false
  process.report.reportOnUncaughtException = false
  process.report.reportOnSignal = false
}
