const FIRST_BYTES = 2_048
const LEAST_BYTES = 512
const MOST_BYTES = 262_144
/** Far from the deadline even if a scorer slows down fivefold, and long compared with the cost of a call. */
const AIM_MS = 1_500

/** How large the next chunk should be, learned from how long the last ones took: speeds differ a hundredfold. */
export type ChunkSize = { bytes: () => number; took: (ms: number) => void }

export const chunkSize = (): ChunkSize => {
  let bytes = FIRST_BYTES
  return {
    bytes: () => bytes,
    took: ms => {
      // At most halved or grown by a fifth: one odd chunk should not decide, and a slow scorer needs quick relief.
      const factor = Math.min(1.2, Math.max(0.5, AIM_MS / ms))
      bytes = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, bytes * factor))
    },
  }
}
