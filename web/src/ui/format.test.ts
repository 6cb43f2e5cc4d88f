import { expect, it } from 'vitest'
import { cents, dollars, percent } from './format.ts'

it.each([
  [0, '$0.00'],
  [4.9999999, '$4.9999999'],
  [0.0000203, '$0.0000203'],
  [-2.5, '-$2.50'],
])('%d dollars are written %s', (value, written) => {
  expect(dollars(value)).toBe(written)
})

it.each([
  [4.9999999, '$5.00'],
  [-0.0000203, '$0.00'],
  [-1234.5, '-$1,234.50'],
])('to the cent, %d dollars are written %s', (value, written) => {
  expect(cents(value)).toBe(written)
})

it.each([
  [0, '0.0%'],
  [0.0009, '< 0.1%'],
  [0.924, '92.4%'],
  [0.9991, '> 99.9%'],
  [1, '100.0%'],
])('a share of %d is written %s', (value, written) => {
  expect(percent(value)).toBe(written)
})
