import { MAX_INSTRUCTION_TOKENS } from './backend/backend.ts'
import { instructionBytesOf } from './backend/open.ts'
import type { Snapshot } from './core/snapshot/load.ts'

/** Lanes of the queue that let one task under way at a time. */
const LANES_OF_LONG_TASKS = 2

/**
 * Memory for instructions that are kept while their options are read, for all snapshots: as much as the queue lets
 * under way, which is one in each lane of long tasks and, among the small ones, a batch. So a small question hardly
 * ever waits for a long one's memory. It stands apart from that of states: a task that holds a state never waits for
 * what others hold with theirs.
 */
export const instructionMemory = async (
  { batchTokens }: { batchTokens: number },
  snapshots: readonly Snapshot[],
): Promise<number> => {
  const tokens = LANES_OF_LONG_TASKS * MAX_INSTRUCTION_TOKENS + Math.min(batchTokens, MAX_INSTRUCTION_TOKENS)
  return Math.max(...(await Promise.all(snapshots.map(({ folder }) => instructionBytesOf(folder, tokens)))))
}
