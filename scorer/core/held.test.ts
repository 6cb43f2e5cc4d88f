import { expect, it } from 'vitest'
import { Held } from './held.ts'

it('a thing is one and the same for all who hold it, and made anew after the last has released it', () => {
  let made = 0
  const held = new Held<number>()
  const hold = () => held.hold('a', () => ++made)
  expect([hold(), hold()]).toEqual([1, 1])
  expect([held.release('a'), held.release('a'), held.release('a')]).toEqual([false, true, false])
  expect(hold()).toBe(2)
})
