// Where bodies are read. A small one is read at once, on the HTTP thread: that takes less than a message would.
// A large one goes to a thread of its own, so that neither health checks nor small requests wait for it.
import { Worker } from 'node:worker_threads'
import { createCacheKeys } from '../cache/cache-key.ts'
import type { Snapshot } from '../snapshot/load.ts'
import { loadTokenizer } from '../snapshot/tokenizer-file.ts'
import { prepare, type Reader } from './prepare.ts'
import type { PreparedRequest } from './prepared.ts'

/** About three milliseconds of tokenising. */
const MAX_INLINE_BYTES = 65_536

export type Intake = {
  read(body: Uint8Array): Promise<PreparedRequest>
  close(): Promise<void>
}

/** What the reading thread is started with. */
export type IntakeSetup = { snapshots: readonly Snapshot[]; cacheSecret: Uint8Array }
export type ReadOrder = { id: number; body: Uint8Array }
export type ReadResult = { id: number; prepared: PreparedRequest }

export const readersOf = (snapshots: readonly Snapshot[]): ReadonlyMap<string, Reader> =>
  new Map(
    snapshots.map(({ folder, description }) => [
      description.id,
      { tokenizer: loadTokenizer(folder), description },
    ]),
  )

/** `onFault` hears of the thread's end, if it ends by itself: what it was reading is lost. */
export const openIntake = (setup: IntakeSetup, onFault: (error: unknown) => void): Intake => {
  const readers = readersOf(setup.snapshots)
  const keys = createCacheKeys(setup.cacheSecret)
  const thread = new Worker(new URL('./intake-thread.ts', import.meta.url), { workerData: setup })
  const waiting = new Map<number, (prepared: PreparedRequest) => void>()
  let orders = 0
  thread.on('message', ({ id, prepared }: ReadResult) => {
    waiting.get(id)?.(prepared)
    waiting.delete(id)
  })
  thread.on('error', onFault)

  return {
    async read(body) {
      if (body.byteLength <= MAX_INLINE_BYTES) return prepare(body, readers, keys)
      const id = orders++
      const result = new Promise<PreparedRequest>(resolve => waiting.set(id, resolve))
      // Moved, not copied: the caller's view is empty from here on.
      thread.postMessage({ id, body } satisfies ReadOrder, [body.buffer as ArrayBuffer])
      return result
    },
    async close() {
      await thread.terminate()
    },
  }
}
