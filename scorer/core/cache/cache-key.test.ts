import { describe, expect, it } from 'vitest'
import { createCacheKeys } from './cache-key.ts'

const keys = createCacheKeys(new Uint8Array(32).fill(1))
const state = Int32Array.of(101, 12, 5, 102, 14)

describe('the name of a state in the cache', () => {
  it('is the same for the same tenant, snapshot and state', () => {
    expect(keys.keyOf('a', 's', state)).toBe(keys.keyOf('a', 's', state.slice()))
  })

  it('differs by each of them, and by where one ends and the next begins', () => {
    const names = [
      keys.keyOf('a', 's', state),
      keys.keyOf('b', 's', state),
      keys.keyOf('a', 't', state),
      keys.keyOf('a', 's', state.slice(1)),
      keys.keyOf('as', '', state),
      keys.keyOf('', 'as', state),
      keys.keyOf('a\0\0\0\0\0\0\0\0', '', state),
      keys.keyOf('a', '\0\0\0\0\0\0\0\0', state),
    ]
    expect(new Set(names).size).toBe(names.length)
  })

  it('means nothing under another secret', () => {
    const others = createCacheKeys(new Uint8Array(32).fill(2))
    expect(others.keyOf('a', 's', state)).not.toBe(keys.keyOf('a', 's', state))
  })
})
