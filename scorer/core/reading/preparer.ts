import { createCacheKeys } from '../cache/cache-key.ts'
import type { Snapshot } from '../snapshot/load.ts'
import { loadTokenizer } from '../snapshot/tokenizer-file.ts'
import { prepare, type Reader } from './prepare.ts'
import type { PreparedRequest } from './prepared.ts'

/** What reading takes besides a body. A thread can be sent it. */
export type ReadingSetup = { snapshots: readonly Snapshot[]; cacheSecret: Uint8Array }

/** Parses, renders and tokenises bodies for the snapshots that a scorer serves. */
export const preparerFor = ({
  snapshots,
  cacheSecret,
}: ReadingSetup): ((body: Uint8Array) => PreparedRequest) => {
  const readers = new Map(
    snapshots.map(({ folder, description }): [string, Reader] => [
      description.id,
      { tokenizer: loadTokenizer(folder), description },
    ]),
  )
  const keys = createCacheKeys(cacheSecret)
  return body => prepare(body, readers, keys)
}
