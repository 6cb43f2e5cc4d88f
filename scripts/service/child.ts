import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** A process that we started and are responsible for: it stops with us, and its end is reported with its last output. */
export type Child = {
  name: string
  /** Settles when the process has ended, with a sentence that says how. */
  ended: Promise<string>
  isRunning(): boolean
  lastLines(): string[]
  stop(): Promise<void>
  /** Kills it and everything it started, at once and without notice (`kill -9`). */
  kill(): Promise<void>
}

type ChildSettings = {
  /** As a sentence about it begins. */
  name: string
  /** A file for Node to run. */
  script: string
  args?: string[]
  env: NodeJS.ProcessEnv
  onOutput?: ((text: string) => void) | undefined
}

const GRACE_MS = 15_000
const KEPT_LINES = 30
/**
 * `ulimit -c 0`: a crash must not leave request content in a core file. `umask 077`: only their owner may read accounts
 * and activity, even in a data folder that anyone may open. The process that waits for the end of our standard input
 * kills the group when we are gone, however we ended: an orphan would keep its port and write to a data folder that
 * looks free.
 */
const LAUNCH =
  'ulimit -c 0; umask 077; exec 3<&0 </dev/null; (read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec "$@" 3<&-'

export const startChild = ({ name, script, args = [], env, onOutput = () => {} }: ChildSettings): Child => {
  // A group of its own: a terminal's Ctrl-C reaches only us, and we stop both in order.
  const process_ = spawn(
    'sh',
    ['-c', LAUNCH, 'sh', process.execPath, '--disable-warning=ExperimentalWarning', script, ...args],
    { env, detached: true },
  )
  const lines: string[] = []
  for (const stream of [process_.stdout, process_.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const text = stripVTControlCharacters(chunk)
      onOutput(text)
      lines.push(...text.split('\n').filter(line => line.trim() !== ''))
      lines.splice(0, lines.length - KEPT_LINES)
    })
  }
  const ended = new Promise<string>(resolve => {
    process_.once('error', error => resolve(`${name} could not be started: ${error.message}`))
    process_.once('close', (code, signal) =>
      resolve(`${name} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
    )
  })
  let running = true
  void ended.then(() => {
    running = false
  })
  const signalGroup = (signal: NodeJS.Signals) => {
    if (process_.pid === undefined || !running) return
    try {
      process.kill(-process_.pid, signal)
    } catch {
      // Already gone, as intended.
    }
  }
  return {
    name,
    ended,
    isRunning: () => running,
    lastLines: () => [...lines],
    stop: async () => {
      signalGroup('SIGTERM')
      const timer = setTimeout(() => signalGroup('SIGKILL'), GRACE_MS)
      await ended
      clearTimeout(timer)
    },
    kill: async () => {
      signalGroup('SIGKILL')
      await ended
    },
  }
}
