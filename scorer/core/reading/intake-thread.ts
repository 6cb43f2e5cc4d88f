import { parentPort, workerData } from 'node:worker_threads'
import { createCacheKeys } from '../cache/cache-key.ts'
import { type IntakeSetup, type ReadOrder, type ReadResult, readersOf } from './intake.ts'
import { prepare } from './prepare.ts'

const setup = workerData as IntakeSetup
const readers = readersOf(setup.snapshots)
const keys = createCacheKeys(setup.cacheSecret)

parentPort?.on('message', ({ id, body }: ReadOrder) => {
  parentPort?.postMessage({ id, prepared: prepare(body, readers, keys) } satisfies ReadResult)
})
