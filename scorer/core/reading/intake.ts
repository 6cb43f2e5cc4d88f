// Reads request bodies. A small one is read at once, on the HTTP thread: that takes less time than a message would.
// Large ones go to a separate thread, so that neither health checks nor small requests wait for them. Until its turn a
// large body stays here, where it can be dropped: once posted to a thread it cannot be taken back.
import { Worker } from 'node:worker_threads'
import { Interrupted } from '../../backend/backend.ts'
import { createCacheKeys } from '../cache/cache-key.ts'
import { byRank, Turns } from '../queue/turns.ts'
import type { Snapshot } from '../snapshot/load.ts'
import { loadTokenizer } from '../snapshot/tokenizer-file.ts'
import type { Caller } from './caller.ts'
import { prepare, type Reader } from './prepare.ts'
import type { PreparedRequest } from './prepared.ts'

/** Takes about three milliseconds to tokenise. */
const MAX_INLINE_BYTES = 65_536

export type Intake = {
  /** Rejects with `Interrupted` if nobody waits any more before the body's turn has come. */
  read(body: Uint8Array, caller: Caller): Promise<PreparedRequest>
  /** Ends the thread. Reads that have not finished reject. */
  close(): Promise<void>
}

/** What the reading thread is started with. */
export type IntakeSetup = { snapshots: readonly Snapshot[]; cacheSecret: Uint8Array }

export type IntakeReply = { kind: 'read'; prepared: PreparedRequest } | { kind: 'failed'; fault: unknown }

type BodyToRead = {
  rank: number
  body: Uint8Array
  caller: Caller
  resolve: (prepared: PreparedRequest) => void
  reject: (why: unknown) => void
}

export const readersOf = (snapshots: readonly Snapshot[]): ReadonlyMap<string, Reader> =>
  new Map(
    snapshots.map(({ folder, description }) => [
      description.id,
      { tokenizer: loadTokenizer(folder), description },
    ]),
  )

/** `onFault` is called if the thread fails. What it was reading is lost. */
export const openIntake = (setup: IntakeSetup, onFault: (fault: unknown) => void): Intake => {
  const readers = readersOf(setup.snapshots)
  const keys = createCacheKeys(setup.cacheSecret)
  const thread = new Worker(new URL('./intake-thread.ts', import.meta.url), { workerData: setup })
  /** In order of rank: a tenant's second body waits for the first of another. */
  let waiting: BodyToRead[] = []
  const turns = new Turns()
  let reading: BodyToRead | undefined

  const dropGone = (): void => {
    waiting = waiting.filter(({ caller, reject }) => {
      const gone = caller.gone()
      if (gone) reject(new Interrupted('cancelled'))
      return !gone
    })
  }
  const readNext = (): void => {
    dropGone()
    if (reading !== undefined) return
    turns.keep(new Set(waiting.map(({ caller }) => caller.tenant)))
    reading = waiting.shift()
    if (reading === undefined) return
    turns.came(reading.rank)
    // Transferred, not copied: the caller's view is empty from here on.
    thread.postMessage(reading.body, [reading.body.buffer as ArrayBuffer])
  }
  thread.on('message', (reply: IntakeReply) => {
    if (reply.kind === 'read') reading?.resolve(reply.prepared)
    else reading?.reject(reply.fault)
    reading = undefined
    readNext()
  })
  thread.on('error', onFault)

  return {
    async read(body, caller) {
      if (body.byteLength <= MAX_INLINE_BYTES) return prepare(body, readers, keys)
      const { promise, resolve, reject } = Promise.withResolvers<PreparedRequest>()
      const rank = turns.rankFor(caller.tenant)
      turns.take(caller.tenant)
      waiting.push({ rank, body, caller, resolve, reject })
      waiting.sort(byRank)
      // Drop it at once: its memory counts as free as soon as the caller is gone.
      caller.onGone(dropGone)
      readNext()
      return promise
    },
    async close() {
      await thread.terminate()
      for (const { reject } of [...(reading ? [reading] : []), ...waiting]) reject(new Interrupted('closed'))
    },
  }
}
