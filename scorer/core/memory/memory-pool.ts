import type { MemoryPool } from '../../backend/backend.ts'
import { Arena } from './arena.ts'
import { createWiper } from './wiper.ts'

/** Never has more than `bytes` bytes lent, in whatever sizes and however often. Returned memory is overwritten. */
export const createMemoryPool = (
  bytes: number,
  later: (work: () => void) => void,
): MemoryPool & { readonly usedBytes: number } => {
  const arena = new Arena(bytes)
  const give = createWiper(arena, later)
  return {
    take: wanted => {
      const region = arena.take(wanted)
      return region && arena.view(region)
    },
    get usedBytes() {
      return arena.usedBytes
    },
    give: ({ byteOffset, byteLength }) => give({ offset: byteOffset, length: byteLength }),
  }
}
