import { expect, it } from 'vitest'
import type { Scratch } from '../../backend/backend.ts'
import { createScratch } from './scratch.ts'

const MIB = 1024 ** 2
const SIZE = 16 * MIB

const setup = () => {
  const steps: (() => void)[] = []
  const scratch = createScratch(SIZE, step => steps.push(step))
  return {
    scratch,
    runAll: () => {
      for (let step = steps.shift(); step; step = steps.shift()) step()
    },
  }
}
const taken = (scratch: Scratch, bytes: number) => {
  const memory = scratch.take(bytes)
  if (memory === null) throw new Error('there was room')
  return memory
}
const holds = (memory: Uint8Array, value: number) => memory.every(byte => byte === value)

it('overwrites memory that was given back', () => {
  const { scratch, runAll } = setup()
  const memory = taken(scratch, 9 * MIB).fill(7)
  scratch.give(memory)
  runAll()
  expect(holds(memory, 0)).toBe(true)
})

it('overwrites all memory that was given back, including what a second owner left untouched', () => {
  const { scratch, runAll } = setup()
  const first = taken(scratch, 9 * MIB).fill(7)
  scratch.give(first)
  const second = taken(scratch, 5 * MIB)
  second.fill(9, 0, MIB)
  scratch.give(second)
  runAll()
  expect(holds(first, 0)).toBe(true)
})

it('does not touch memory that another owner still holds', () => {
  const { scratch, runAll } = setup()
  const [mine, theirs] = [taken(scratch, 5 * MIB).fill(7), taken(scratch, 5 * MIB).fill(9)]
  scratch.give(mine)
  runAll()
  expect([holds(mine, 0), holds(theirs, 9)]).toEqual([true, true])
})

it('uses the same memory for all sizes, one after another and two at a time', () => {
  const { scratch } = setup()
  for (const mebibytes of [8, 7, 4, 3, 2, 1]) {
    const two = [taken(scratch, mebibytes * MIB), taken(scratch, mebibytes * MIB)]
    const [first, second] = two
    expect([first?.buffer, second?.byteOffset]).toEqual([second?.buffer, mebibytes * MIB])
    expect(first?.buffer.byteLength).toBe(SIZE)
    for (const memory of two) scratch.give(memory)
  }
})

it('never lends more than its size', () => {
  const { scratch } = setup()
  const memory = taken(scratch, SIZE)
  expect(scratch.take(1)).toBeNull()
  scratch.give(memory)
  expect(scratch.take(SIZE)).not.toBeNull()
})
