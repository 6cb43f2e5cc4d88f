import { join } from 'node:path'
import { MAX_INSTRUCTION_TOKENS } from './backend/backend.ts'
import { instructionBytesOf } from './backend/open.ts'
import { SINGLE_TASK_LANES } from './core/queue/lanes.ts'
import type { Snapshot } from './core/snapshot/load.ts'
import { StartError } from './start-error.ts'

/**
 * Memory for instructions that are kept while their options are encoded, shared by all snapshots. There is room for one
 * of the longest in each lane of long tasks and for a batch of shorter ones, so a small question hardly ever waits for
 * a long one's memory: only while the riding lane has a long one too. It is separate from the memory for states, so that
 * a task that holds a state never waits for memory that others hold with their states.
 */
export const instructionMemory = async (
  { batchTokens }: { batchTokens: number },
  snapshots: readonly Snapshot[],
): Promise<number> => {
  const tokens = SINGLE_TASK_LANES * MAX_INSTRUCTION_TOKENS + Math.min(batchTokens, MAX_INSTRUCTION_TOKENS)
  const bytes = snapshots.map(({ folder }) =>
    instructionBytesOf(folder, tokens).catch(() => {
      throw new StartError(`${join(folder, 'snapshot.json')}: shape is not as expected`)
    }),
  )
  return Math.max(...(await Promise.all(bytes)))
}
