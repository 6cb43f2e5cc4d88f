import { parentPort, workerData } from 'node:worker_threads'
import { createCacheKeys } from '../cache/cache-key.ts'
import { type IntakeSetup, readersOf } from './intake.ts'
import { prepare } from './prepare.ts'
import type { PreparedRequest } from './prepared.ts'
import type { IntakeReply } from './reading-thread.ts'

const setup = workerData as IntakeSetup
const readers = readersOf(setup.snapshots)
const keys = createCacheKeys(setup.cacheSecret)

parentPort?.on('message', (body: Uint8Array) => {
  const reply = read(body)
  parentPort?.postMessage(reply, reply.kind === 'read' ? longTokensOf(reply.prepared) : [])
})

/** A body that cannot be read fails one request only: the thread lives on for the others. */
function read(body: Uint8Array): IntakeReply {
  try {
    return { kind: 'read', prepared: prepare(body, readers, keys) }
  } catch (fault) {
    return { kind: 'failed', fault }
  }
}

/** Copying fewer bytes takes less time than transferring their buffer. */
const LONG_BYTES = 16_384

/** The buffers of tokens that are transferred instead of copied. All of a question's tokens are in one. */
function longTokensOf(prepared: PreparedRequest): ArrayBuffer[] {
  const units = prepared.kind === 'prepared' ? prepared.units : []
  const buffers = units.flatMap(unit =>
    unit.kind === 'ready'
      ? [unit.stateIds.buffer, ...unit.questions.map(({ asked }) => asked.question.instruction.buffer)]
      : [],
  )
  return (buffers as ArrayBuffer[]).filter(({ byteLength }) => byteLength > LONG_BYTES)
}
