import { StartError } from './start-error.ts'

/** What Node says of a worker, and onnxruntime of its threads, that the system did not start. */
const REFUSED = /\bEAGAIN\b|Resource temporarily unavailable/

/** Names the cause of a start that failed for want of threads. Any other fault stays as it is. */
export const noThreads = (fault: unknown): never => {
  if (!(fault instanceof Error && REFUSED.test(fault.message))) throw fault
  throw new StartError(
    'The system lets this process start no more threads: its limit of processes is too low (ulimit -u, TasksMax in ' +
      'systemd, --pids-limit in Docker). Raise it, or use fewer with SCORER_WORKERS and SCORER_THREADS.',
  )
}
