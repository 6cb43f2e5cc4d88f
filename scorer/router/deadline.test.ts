import { expect, it } from 'vitest'
import { readDeadline } from './deadline.ts'

it.each<[string | undefined, number | null]>([
  [undefined, 10_000],
  ['1', 1],
  ['9500', 9_500],
  ['999999999', 120_000],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['', null],
  ['9999999999', null],
])('a deadline header of %s is read as %s', (header, ms) => {
  expect(readDeadline(header)).toBe(ms)
})
