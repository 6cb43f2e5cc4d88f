import { expect, it } from 'vitest'
import { lotsOf } from './lots.ts'

const lots = (lengths: readonly number[], alike?: (first: number, one: number) => boolean) => [
  ...lotsOf(lengths, 10, length => length, alike),
]

it('puts neighbours together up to the most that a lot may have, each time anew', () => {
  expect(lots([4, 6, 1, 9, 2, 3, 4, 2])).toEqual([[4, 6], [1, 9], [2, 3, 4], [2]])
})

it('has what is longer than that in a lot of its own', () => {
  expect(lots([1, 11, 1, 2])).toEqual([[1], [11], [1, 2]])
  expect(lots([])).toEqual([])
})

it('begins a new lot with whatever is unlike the first of the one before', () => {
  expect(lots([1, 3, 2, 4, 1], (first, one) => first % 2 === one % 2)).toEqual([[1, 3], [2, 4], [1]])
})
