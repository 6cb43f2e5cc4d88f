import { expect, it } from 'vitest'
import { bytes, cents, dollars, milliseconds, percent } from './format.ts'

it.each([
  [0, '$0.00'],
  [4.9999999, '$4.9999999'],
  [0.0000203, '$0.0000203'],
  [-2.5, '-$2.50'],
  [1_234_567.000_000_1, '$1,234,567.0000001'],
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

it.each([
  [9.04, '9.0 ms'],
  [41.4, '41 ms'],
  [9_400, '9400 ms'],
  [12_340, '12.3 s'],
])('%d milliseconds are written %s', (value, written) => {
  expect(milliseconds(value)).toBe(written)
})

it.each([
  [999, '999 B'],
  [65_536, '65.5 kB'],
  [4_000_000, '4.00 MB'],
])('%d bytes are written %s', (value, written) => {
  expect(bytes(value)).toBe(written)
})
