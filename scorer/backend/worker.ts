import { parentPort, workerData } from 'node:worker_threads'
import { openRunner } from './sessions.ts'
import type { Order, Reply, Results, WorkerSetup, WorkerStep } from './steps.ts'

// The thread that owns the sessions. A run blocks it from start to finish, so nothing else lives here.

// If Float16Array exists (Node 24), onnxruntime-common uses it for half precision. Its native side then receives an
// array type that N-API does not know, and so no data. Without the global it uses Uint16Array, which works.
Reflect.deleteProperty(globalThis, 'Float16Array')

const port = parentPort
if (port === null) throw new Error('worker.ts runs as a worker thread')
const reply = (message: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

const runner = await openRunner(workerData as WorkerSetup)
let last: Promise<void> = Promise.resolve()
port.on('message', ({ id, step }: Order) => {
  last = last.then(async () => {
    try {
      const result = await runner.run(step)
      reply({ kind: 'done', id, result }, buffersOf(result))
    } catch {
      // Not the message: it may quote what the run was given.
      reply({ kind: 'failed', id })
    }
  })
})
reply({ kind: 'ready' })

function buffersOf(result: Results[WorkerStep['kind']]): ArrayBuffer[] {
  if (result instanceof Float32Array) return [result.buffer as ArrayBuffer]
  const arrays = Array.isArray(result) ? result : [result.sums, result.firsts, result.found, result.most]
  return arrays.map(array => array.buffer as ArrayBuffer)
}
