// Reads request bodies. The smallest are read at once, on the HTTP thread: that takes less time than a message would.
// All others go to a thread of their size, so that neither health checks nor smaller requests wait for them.
import { createCacheKeys } from '../cache/cache-key.ts'
import type { Snapshot } from '../snapshot/load.ts'
import { loadTokenizer } from '../snapshot/tokenizer-file.ts'
import type { Caller } from './caller.ts'
import { prepare, type Reader } from './prepare.ts'
import type { PreparedRequest } from './prepared.ts'
import { openReadingThread } from './reading-thread.ts'

/** Short options take ten times as long as a text. A larger body of nothing else would hold up everyone's. */
const MAX_INLINE_BYTES = 4_096
/** Takes tens of milliseconds at most. */
const MAX_MEDIUM_BYTES = 65_536

export type Intake = {
  /** Rejects with `Interrupted` if nobody waits any more before the body's turn has come. */
  read(body: Uint8Array, caller: Caller): Promise<PreparedRequest>
  /** Ends the threads. Reads that have not finished reject. */
  close(): Promise<void>
}

/** What a reading thread is started with. */
export type IntakeSetup = { snapshots: readonly Snapshot[]; cacheSecret: Uint8Array }

export const readersOf = (snapshots: readonly Snapshot[]): ReadonlyMap<string, Reader> =>
  new Map(
    snapshots.map(({ folder, description }) => [
      description.id,
      { tokenizer: loadTokenizer(folder), description },
    ]),
  )

/** `onFault` is called if a thread fails. What it was reading is lost. */
export const openIntake = (setup: IntakeSetup, onFault: (fault: unknown) => void): Intake => {
  const readers = readersOf(setup.snapshots)
  const keys = createCacheKeys(setup.cacheSecret)
  const medium = openReadingThread(setup, onFault)
  const large = openReadingThread(setup, onFault)
  return {
    async read(body, caller) {
      if (body.byteLength <= MAX_INLINE_BYTES) return prepare(body, readers, keys)
      return (body.byteLength <= MAX_MEDIUM_BYTES ? medium : large).read(body, caller)
    },
    async close() {
      await Promise.all([medium.close(), large.close()])
    },
  }
}
