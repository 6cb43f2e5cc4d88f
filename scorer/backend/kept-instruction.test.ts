import { expect, it } from 'vitest'
import { createMemoryPool } from '../core/memory/memory-pool.ts'
import { Interrupted, type Waiter } from './backend.ts'
import { instructionBytes, withMemory } from './kept-instruction.ts'
import type { KeptInstruction } from './steps.ts'

const shape = { layers: 2, heads: 3, headWidth: 4, width: 12, firstSide: 6 }
const TOKENS = 64
const patient: Waiter = { gone: () => false }

/** Memory for one instruction of `TOKENS`. */
const setup = () => {
  const scratch = createMemoryPool(instructionBytes(TOKENS, shape), work => work())
  const borrow = <T>(
    use: (room: KeptInstruction) => Promise<T>,
    { tokens = TOKENS, waiter = patient } = {},
  ) => withMemory({ scratch, shape, waiter }, tokens, use)
  return { scratch, borrow }
}
const fill = ({ keys, values }: KeptInstruction, value: number) => {
  keys.fill(value)
  values.fill(value + 1)
}

it('lends memory for keys and values, and erases them afterwards', async () => {
  const { borrow } = setup()
  const lent = await borrow(async room => {
    fill(room, 7)
    return room
  })
  expect([lent.keys.length, lent.values.length]).toEqual([2 * 3 * TOKENS * 4, 2 * 3 * TOKENS * 4])
  expect([...lent.keys, ...lent.values].every(value => value === 0)).toBe(true)
})

it('lends separate memory to two jobs at once if both fit', async () => {
  const { borrow } = setup()
  const both = Promise.withResolvers<void>()
  let holders = 0
  const use = (value: number) => async (room: KeptInstruction) => {
    fill(room, value)
    if (++holders === 2) both.resolve()
    await both.promise
    return room.keys.every(key => key === value) && room.values.every(number => number === value + 1)
  }
  const half = { tokens: TOKENS / 2 }
  expect(await Promise.all([borrow(use(7), half), borrow(use(9), half)])).toEqual([true, true])
})

it('makes a job that does not fit wait for the first to end, even if that one fails', async () => {
  const { borrow } = setup()
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const failing = borrow(async () => {
    order.push('first begins')
    await first.promise
    order.push('first ends')
    throw new Error('broken')
  })
  const waiting = borrow(async () => order.push('second begins'))
  first.resolve()
  await expect(failing).rejects.toThrow('broken')
  await waiting
  expect(order).toEqual(['first begins', 'first ends', 'second begins'])
})

it('lets a small job pass while a large one waits', async () => {
  const { borrow } = setup()
  const first = Promise.withResolvers<void>()
  const half = { tokens: TOKENS / 2 }
  const holding = borrow(() => first.promise, half)
  let large = false
  const waiting = borrow(async () => {
    large = true
  })
  await borrow(async () => {}, half)
  expect(large).toBe(false)
  first.resolve()
  await Promise.all([holding, waiting])
})

it('stops waiting when its caller leaves', async () => {
  const { borrow } = setup()
  const first = Promise.withResolvers<void>()
  const holding = borrow(() => first.promise)
  let gone = false
  const waiting = borrow(async () => {}, { waiter: { gone: () => gone } })
  gone = true
  await expect(waiting).rejects.toEqual(new Interrupted('cancelled'))
  first.resolve()
  await holding
})
