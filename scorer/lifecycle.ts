import type { Server } from 'node:http'
import { describeFault, type Log } from './log.ts'

export type Stoppable = {
  server: Server
  /** Refuses what is new, resolves when what is under way is answered. */
  drain(): Promise<void>
  /** Ends the threads. */
  close(): Promise<void>
  /** What is still running then is not waited for. */
  drainMs: number
  log: Log
}

/** SIGTERM and SIGINT: refuse, finish, exit 0. While it drains the service still answers, with 503. */
export const stopOnSignal = (parts: Stoppable): void => {
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    const { server, log } = parts
    log.event('draining')
    setTimeout(() => {
      log.event('stopped', { drained: false })
      process.exit(0)
    }, parts.drainMs)
    await parts.drain()
    server.close()
    server.closeIdleConnections()
    await parts.close()
    log.event('stopped', { drained: true })
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

/** A fault nobody caught ends the process: told by name and functions only, then whoever supervises starts anew. */
export const endOnFault = (log: Log): ((fault: unknown) => void) => {
  const end = (fault: unknown): void => {
    log.event('fault', describeFault(fault))
    process.exit(1)
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
