// One thread that reads bodies, one at a time. Until its turn a body stays here, where it can be dropped: once posted to
// the thread it cannot be taken back.
import { Worker } from 'node:worker_threads'
import { Interrupted } from '../../backend/backend.ts'
import { byRank, type Turn, Turns } from '../queue/turns.ts'
import type { Caller } from './caller.ts'
import type { PreparedRequest } from './prepared.ts'
import type { ReadingSetup } from './preparer.ts'

export type BodyReader = {
  /** Rejects with `Interrupted` if nobody waits any more before the body's turn has come. */
  read(body: Uint8Array, caller: Caller): Promise<PreparedRequest>
  /** Ends its threads. Reads that have not finished reject. */
  close(): Promise<void>
}

export type Reply = { kind: 'read'; prepared: PreparedRequest } | { kind: 'failed'; fault: unknown }

type BodyToRead = Turn & {
  /** Its body. */
  readonly request: Uint8Array
  resolve: (prepared: PreparedRequest) => void
  reject: (why: unknown) => void
}

export const openReadingThread = (setup: ReadingSetup, onFault: (fault: unknown) => void): BodyReader => {
  const thread = new Worker(new URL('./reading-worker.ts', import.meta.url), { workerData: setup })
  /** In the order they came: whose turn it is, is decided when the thread is free. */
  const waiting: BodyToRead[] = []
  const turns = new Turns()
  let reading: BodyToRead | undefined
  /** Whether a body was dropped since all were ranked. Tens of thousands may wait: they are not ranked for each one. */
  let dropped = false

  const readNext = (): void => {
    if (reading !== undefined) return
    if (dropped) turns.rank(waiting)
    dropped = false
    if (waiting.length === 0) {
      turns.forget()
      return
    }
    const next = waiting.reduce((first, one) => (byRank(one, first) < 0 ? one : first))
    turns.begin(next)
    waiting.splice(waiting.indexOf(next), 1)
    reading = next
    // Transferred, not copied: the caller's view is empty from here on.
    thread.postMessage(next.request, [next.request.buffer as ArrayBuffer])
  }
  thread.on('message', (reply: Reply) => {
    if (reply.kind === 'read') reading?.resolve(reply.prepared)
    else reading?.reject(reply.fault)
    reading = undefined
    readNext()
  })
  thread.on('error', onFault)

  return {
    async read(body, caller) {
      if (caller.gone()) throw new Interrupted('cancelled')
      const { promise, resolve, reject } = Promise.withResolvers<PreparedRequest>()
      const one = { tenant: caller.tenant, request: body, rank: 0, place: 0, resolve, reject }
      turns.rankNew([one])
      turns.add([one])
      waiting.push(one)
      // Dropped at once: its memory counts as free as soon as the caller is gone.
      caller.onGone(() => {
        const at = waiting.indexOf(one)
        if (at < 0) return
        waiting.splice(at, 1)
        dropped = true
        reject(new Interrupted('cancelled'))
      })
      readNext()
      return promise
    },
    async close() {
      await thread.terminate()
      for (const { reject } of [...(reading ? [reading] : []), ...waiting]) reject(new Interrupted('closed'))
    },
  }
}
