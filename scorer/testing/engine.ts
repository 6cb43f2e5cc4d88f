// The engine with the shipped model, in this process and without a scorer around it.
import type { KnownRows, MemoryPool, Waiter } from '../backend/backend.ts'
import { type BackendOptions, openBackend } from '../backend/open.ts'
import { SNAPSHOT_FOLDER } from './snapshot.ts'

/** New memory at every call. */
const newMemory = (bytes: number) => new Uint8Array(new SharedArrayBuffer(bytes))
export const ownScratch: MemoryPool = { take: newMemory, give: memory => memory.fill(0) }

/** Waits forever. */
export const patient: Waiter = { gone: () => false }
/** Knows nothing and keeps nothing. */
export const forgetful: KnownRows = { get: () => undefined, keep: () => {} }

const DEFAULTS = { provider: 'cpu', workers: 1, threads: 1, scratch: ownScratch, onFault: () => {} } as const

export type TestEngine = Awaited<ReturnType<typeof openEngine>>

export const openEngine = async (over: Partial<BackendOptions> = {}, folder = SNAPSHOT_FOLDER) => {
  const backend = await openBackend(folder, { ...DEFAULTS, ...over })
  return {
    ...backend,
    encodeState: (ids: Int32Array, waiter: Waiter) =>
      backend.encodeState(ids, waiter, newMemory(backend.stateBytes(ids.length))),
  }
}
