import type { Arena, Region } from './arena.ts'

/** Takes about a millisecond on the thread that answers requests. */
const SLICE_BYTES = 4 * 1024 ** 2

/**
 * Takes regions back for an arena and overwrites them a slice at a time, so that a state that has left the cache does
 * not stay in memory either. Memory that has been taken again meanwhile is left to its new owner, who writes all of it.
 */
export const createWiper = (arena: Arena, later: (work: () => void) => void) => {
  const dirty: Region[] = []
  /** Taken from `dirty`, its next one last: from the front of a long array, each would move all the others. */
  let batch: Region[] = []
  let busy = false
  const wipeSlice = (): void => {
    if (batch.length === 0) batch = dirty.splice(0).reverse()
    const first = batch.pop()
    if (first === undefined) {
      busy = false
      return
    }
    const slice = { offset: first.offset, length: Math.min(first.length, SLICE_BYTES) }
    for (const part of arena.freePartsOf(slice)) arena.view(part).fill(0)
    if (first.length > slice.length) {
      batch.push({ offset: first.offset + slice.length, length: first.length - slice.length })
    }
    later(wipeSlice)
  }
  return (region: Region): void => {
    arena.give(region)
    dirty.push(region)
    if (busy) return
    busy = true
    later(wipeSlice)
  }
}
