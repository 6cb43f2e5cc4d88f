import { expect, it } from 'vitest'
import { dollars } from './format.ts'

it.each([
  [0, '$0.00'],
  [4.9999999, '$4.9999999'],
  [-2.5, '-$2.50'],
])('%d dollars are written %s', (value, written) => {
  expect(dollars(value)).toBe(written)
})
