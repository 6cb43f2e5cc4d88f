import { MAX_INSTRUCTION_TOKENS } from './backend/backend.ts'
import { instructionBytesOf } from './backend/open.ts'
import type { Snapshot } from './core/snapshot/load.ts'

/** Lanes of the queue that run one task at a time. */
const LANES_OF_LONG_TASKS = 2

/**
 * Memory for instructions that are kept while their options are encoded, shared by all snapshots. There is room for one
 * of the longest in each lane of long tasks and for a batch of shorter ones, so a small question hardly ever waits for
 * a long one's memory. It is separate from the memory for states, so that a task that holds a state never waits for
 * memory that others hold with their states.
 */
export const instructionMemory = async (
  { batchTokens }: { batchTokens: number },
  snapshots: readonly Snapshot[],
): Promise<number> => {
  const tokens = LANES_OF_LONG_TASKS * MAX_INSTRUCTION_TOKENS + Math.min(batchTokens, MAX_INSTRUCTION_TOKENS)
  return Math.max(...(await Promise.all(snapshots.map(({ folder }) => instructionBytesOf(folder, tokens)))))
}
