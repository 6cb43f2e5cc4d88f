// Reads request bodies. The smallest are read at once, on the HTTP thread: that takes less time than a message would.
// All others go to a thread of their size, so that neither health checks nor smaller requests wait for them.
import { preparerFor, type ReadingSetup } from './preparer.ts'
import { type BodyReader, openReadingThread } from './reading-thread.ts'

/** Short options take ten times as long as a text. A larger body of nothing else would hold up everyone's. */
const MAX_INLINE_BYTES = 4_096
/** Takes tens of milliseconds at most. */
const MAX_MEDIUM_BYTES = 65_536

/** `onFault` is called if a thread fails. What it was reading is lost. */
export const openIntake = (setup: ReadingSetup, onFault: (fault: unknown) => void): BodyReader => {
  const prepared = preparerFor(setup)
  const medium = openReadingThread(setup, onFault)
  const large = openReadingThread(setup, onFault)
  return {
    async read(body, caller) {
      if (body.byteLength <= MAX_INLINE_BYTES) return prepared(body)
      return (body.byteLength <= MAX_MEDIUM_BYTES ? medium : large).read(body, caller)
    },
    async close() {
      await Promise.all([medium.close(), large.close()])
    },
  }
}
