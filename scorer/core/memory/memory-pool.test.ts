import { expect, it } from 'vitest'
import type { MemoryPool } from '../../backend/backend.ts'
import { createMemoryPool } from './memory-pool.ts'

const MIB = 1024 ** 2
const SIZE = 16 * MIB

const setup = () => {
  const steps: (() => void)[] = []
  const pool = createMemoryPool(SIZE, step => steps.push(step))
  return {
    pool,
    planned: () => steps.length,
    runAll: () => {
      for (let step = steps.shift(); step; step = steps.shift()) step()
    },
  }
}
const taken = (pool: MemoryPool, bytes: number) => {
  const memory = pool.take(bytes)
  if (memory === null) throw new Error('there was room')
  return memory
}
const holds = (memory: Uint8Array, value: number) => memory.every(byte => byte === value)

it('overwrites memory that was given back', () => {
  const { pool, runAll } = setup()
  const memory = taken(pool, 9 * MIB).fill(7)
  pool.give(memory)
  runAll()
  expect(holds(memory, 0)).toBe(true)
})

it('overwrites all memory that was given back, including what a second owner left untouched', () => {
  const { pool, runAll } = setup()
  const first = taken(pool, 9 * MIB).fill(7)
  pool.give(first)
  const second = taken(pool, 5 * MIB)
  second.fill(9, 0, MIB)
  pool.give(second)
  runAll()
  expect(holds(first, 0)).toBe(true)
})

it('overwrites a slice at a time, however much was given back', () => {
  const { pool, planned } = setup()
  const lent = [taken(pool, 5 * MIB), taken(pool, 5 * MIB)]
  for (const memory of lent) pool.give(memory)
  expect(planned()).toBe(1)
})

it('does not touch memory that another owner still holds', () => {
  const { pool, runAll } = setup()
  const [mine, theirs] = [taken(pool, 5 * MIB).fill(7), taken(pool, 5 * MIB).fill(9)]
  pool.give(mine)
  runAll()
  expect([holds(mine, 0), holds(theirs, 9)]).toEqual([true, true])
})

it('uses the same memory for all sizes, one after another and two at a time', () => {
  const { pool } = setup()
  for (const mebibytes of [8, 7, 4, 3, 2, 1]) {
    const two = [taken(pool, mebibytes * MIB), taken(pool, mebibytes * MIB)]
    const [first, second] = two
    expect([first?.buffer, second?.byteOffset]).toEqual([second?.buffer, mebibytes * MIB])
    expect(first?.buffer.byteLength).toBe(SIZE)
    for (const memory of two) pool.give(memory)
  }
})

it('never lends more than its size', () => {
  const { pool } = setup()
  const memory = taken(pool, SIZE)
  expect(pool.take(1)).toBeNull()
  pool.give(memory)
  expect(pool.take(SIZE)).not.toBeNull()
})
