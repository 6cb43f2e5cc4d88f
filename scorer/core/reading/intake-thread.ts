import { parentPort, workerData } from 'node:worker_threads'
import { createCacheKeys } from '../cache/cache-key.ts'
import { type IntakeSetup, readersOf } from './intake.ts'
import { prepare } from './prepare.ts'

const setup = workerData as IntakeSetup
const readers = readersOf(setup.snapshots)
const keys = createCacheKeys(setup.cacheSecret)

parentPort?.on('message', (body: Uint8Array) => {
  parentPort?.postMessage(prepare(body, readers, keys))
})
