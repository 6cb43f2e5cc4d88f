import { parentPort, workerData } from 'node:worker_threads'
import { createCacheKeys } from '../cache/cache-key.ts'
import { type IntakeReply, type IntakeSetup, readersOf } from './intake.ts'
import { prepare } from './prepare.ts'

const setup = workerData as IntakeSetup
const readers = readersOf(setup.snapshots)
const keys = createCacheKeys(setup.cacheSecret)

parentPort?.on('message', (body: Uint8Array) => {
  parentPort?.postMessage(read(body))
})

/** A body that cannot be read fails one request only: the thread lives on for the others. */
function read(body: Uint8Array): IntakeReply {
  try {
    return { kind: 'read', prepared: prepare(body, readers, keys) }
  } catch (fault) {
    return { kind: 'failed', fault }
  }
}
