import { expect, it } from 'vitest'
import { shortName } from './short-name.ts'

it('names a question by its first two ids, each cut to what a line has room for, between characters', () => {
  expect(shortName(['team'])).toBe('team')
  expect(shortName(['a', 'b'])).toBe('a, b')
  expect(shortName(['a', 'b', 'c', 'd'])).toBe('a, b, +2')
  const cut = shortName([`${'x'.repeat(63)}😀${'y'.repeat(1_000)}`])
  expect(cut).toHaveLength(65)
  expect(cut.isWellFormed()).toBe(true)
})
