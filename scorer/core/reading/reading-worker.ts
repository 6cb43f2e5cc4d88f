// What runs on the thread that reading-thread.ts opens.
import { parentPort, workerData } from 'node:worker_threads'
import type { PreparedRequest } from './prepared.ts'
import { preparerFor, type ReadingSetup } from './preparer.ts'
import type { Reply } from './reading-thread.ts'

const prepared = preparerFor(workerData as ReadingSetup)

parentPort?.on('message', (body: Uint8Array) => {
  const reply = read(body)
  parentPort?.postMessage(reply, reply.kind === 'read' ? longTokensOf(reply.prepared) : [])
})

/** A body that cannot be read fails one request only: the thread lives on for the others. */
function read(body: Uint8Array): Reply {
  try {
    return { kind: 'read', prepared: prepared(body) }
  } catch (fault) {
    return { kind: 'failed', fault }
  }
}

/** Copying fewer bytes takes less time than transferring their buffer. */
const LONG_BYTES = 16_384

/** The buffers of tokens that are transferred instead of copied. All of a question's tokens are in one. */
function longTokensOf(prepared: PreparedRequest): ArrayBuffer[] {
  const units = 'units' in prepared ? prepared.units : []
  const buffers = units.flatMap(unit =>
    unit.kind === 'ready'
      ? [unit.stateIds.buffer, ...unit.questions.map(({ asked }) => asked.question.instruction.buffer)]
      : [],
  )
  return (buffers as ArrayBuffer[]).filter(({ byteLength }) => byteLength > LONG_BYTES)
}
