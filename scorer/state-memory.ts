import type { Backend } from './backend/backend.ts'
import { STATE_MARKERS } from './core/rendering/markers.ts'
import type { Snapshot } from './core/snapshot/load.ts'
import { StartError } from './start-error.ts'

const MIB = 1024 ** 2
/**
 * What a worker's runs may take, and what reading requests may take. With two workers, a mixed load of every kind of
 * request took about 400 MB in addition to the models, the states and the kept instructions. `memory.test.ts` holds
 * the whole process to its ceiling.
 */
const RUN_BYTES_PER_WORKER = 448 * MIB
const REQUEST_BYTES = 256 * MIB
/**
 * A process is some 20 MiB larger after one start than after another, and 40 MiB if its container was given more memory
 * in between, of which Node takes a share. With this margin, the minimum in the error suffices for every start.
 */
const START_BYTES = 64 * MIB

/**
 * What the process's ceiling leaves for encoded states once the models are loaded and the work itself has its share.
 * The longest state must fit, or the service would accept a state that it can never encode.
 */
export const stateMemory = (
  { memoryBytes, questionBytes, workers }: { memoryBytes: number; questionBytes: number; workers: number },
  instructionBytes: number,
  snapshots: readonly Snapshot[],
  backends: ReadonlyMap<string, Backend>,
  residentBytes: number,
): number => {
  const taken =
    residentBytes +
    questionBytes +
    instructionBytes +
    REQUEST_BYTES +
    workers * snapshots.length * RUN_BYTES_PER_WORKER
  const longest = Math.max(
    ...snapshots.map(
      ({ description }) =>
        backends.get(description.id)?.stateBytes(description.max_state_tokens + STATE_MARKERS) ?? 0,
    ),
  )
  if (memoryBytes >= taken + longest) return memoryBytes - taken
  const needed = Math.ceil((taken + longest + START_BYTES) / MIB)
  throw new StartError(
    `SCORER_MEMORY_BYTES must be at least ${needed * MIB} (${needed} MiB) for these snapshots with SCORER_WORKERS=${workers}, but it is ${memoryBytes}. The default is 3 GiB, or the limit of the container if that is less`,
  )
}
