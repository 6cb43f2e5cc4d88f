import { parentPort, workerData } from 'node:worker_threads'
import { openRunner } from './sessions.ts'
import type { Order, Outcome, Reply, WorkerSetup, WorkerStep } from './steps.ts'

// The thread that owns the sessions. A run blocks it from start to finish, so nothing else lives here.

// If Float16Array exists (Node 24), onnxruntime-common uses it for half precision. Its native side then receives an
// array type that N-API does not know, and so no data. Without the global it uses Uint16Array, which works.
Reflect.deleteProperty(globalThis, 'Float16Array')

const port = parentPort
if (port === null) throw new Error('worker.ts runs as a worker thread')
const reply = (message: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

try {
  const runner = await openRunner(workerData as WorkerSetup)
  let last: Promise<void> = Promise.resolve()
  port.on('message', ({ id, step }: Order) => {
    last = last.then(async () => {
      try {
        const outcome = await runner.run(step)
        reply({ kind: 'done', id, outcome }, buffersOf(outcome))
      } catch {
        // Not the message: it may quote what the run was given.
        reply({ kind: 'failed', id })
      }
    })
  })
  reply({ kind: 'ready' })
} catch (fault) {
  reply({ kind: 'refused', message: fault instanceof Error ? fault.message : 'unknown fault' })
}

function buffersOf(outcome: Outcome[WorkerStep['kind']]): ArrayBuffer[] {
  if (outcome instanceof Float32Array) return [outcome.buffer as ArrayBuffer]
  const arrays = Array.isArray(outcome)
    ? outcome
    : [outcome.sums, outcome.firsts, outcome.found, outcome.most]
  return arrays.map(array => array.buffer as ArrayBuffer)
}
