import { expect, it } from 'vitest'
import type { MemoryPool } from '../../backend/backend.ts'
import { createMemoryPool } from './memory-pool.ts'

const MIB = 1024 ** 2
const SIZE = 16 * MIB

const setup = () => {
  const steps: (() => void)[] = []
  const pool = createMemoryPool(SIZE, step => steps.push(step))
  const runOne = () => steps.shift()?.()
  return {
    pool,
    planned: () => steps.length,
    runOne,
    runAll: () => {
      while (steps.length > 0) runOne()
    },
  }
}
const taken = (pool: MemoryPool, bytes: number) => {
  const memory = pool.take(bytes)
  if (memory === null) throw new Error('there was room')
  return memory
}
const holds = (memory: Uint8Array, value: number) => memory.every(byte => byte === value)

it('overwrites memory that was given back, a slice at a time, however much it is and how often', () => {
  const { pool, planned, runOne, runAll } = setup()
  for (const value of [7, 8]) {
    const lent = [taken(pool, 5 * MIB).fill(value), taken(pool, 5 * MIB).fill(value)]
    for (const memory of lent) pool.give(memory)
    expect(planned()).toBe(1)
    runOne()
    expect([lent[0]?.at(0), lent[0]?.at(-1)]).toEqual([0, value])
    runAll()
    expect(lent.map(memory => holds(memory, 0))).toEqual([true, true])
  }
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

it('does not touch memory that another owner still holds, or has taken since', () => {
  const { pool, runAll } = setup()
  const [mine, theirs] = [taken(pool, 5 * MIB).fill(7), taken(pool, 5 * MIB).fill(9)]
  pool.give(mine)
  const since = taken(pool, MIB).fill(8)
  runAll()
  expect([holds(theirs, 9), holds(since, 8), holds(mine.subarray(MIB), 0)]).toEqual([true, true, true])
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
