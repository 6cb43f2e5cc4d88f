import { describe, expect, it } from 'vitest'
import { createCacheKeys } from './cache-key.ts'

const keys = createCacheKeys(new Uint8Array(32).fill(1))
const state = Int32Array.of(101, 12, 5, 102, 14)

describe('the cache key of a state', () => {
  it('is the same for the same tenant, snapshot and state', () => {
    const within = Int32Array.of(0, ...state, 0).subarray(1, -1)
    expect(keys.keyOf('a', 's', within)).toBe(keys.keyOf('a', 's', state))
  })

  it('differs if any of them differs, or the boundary between two of them moves', () => {
    const names = [
      keys.keyOf('a', 's', state),
      keys.keyOf('b', 's', state),
      keys.keyOf('a', 't', state),
      keys.keyOf('a', 's', state.slice(1)),
      keys.keyOf('a', 's', Int32Array.of(101, 12, 5 + 256, 102, 14)),
      keys.keyOf('as', '', state),
      keys.keyOf('', 'as', state),
      keys.keyOf('a\0\0\0\0\0\0\0\0', '', state),
      keys.keyOf('a', '\0\0\0\0\0\0\0\0', state),
    ]
    expect(new Set(names).size).toBe(names.length)
  })

  it('is different under another secret', () => {
    const others = createCacheKeys(new Uint8Array(32).fill(2))
    expect(others.keyOf('a', 's', state)).not.toBe(keys.keyOf('a', 's', state))
  })
})
