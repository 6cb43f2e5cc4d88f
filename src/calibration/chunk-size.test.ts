import { expect, it } from 'vitest'
import { chunkSize } from './chunk-size.ts'

it('a chunk becomes as large as a scorer of any speed does in a second and a half', () => {
  for (const bytesPerMs of [1, 10, 100]) {
    const size = chunkSize()
    for (let times = 0; times < 100; times++) size.took(size.bytes() / bytesPerMs)
    expect(size.bytes()).toBeCloseTo(1_500 * bytesPerMs, 6)
  }
})

it('a chunk is never smaller than 512 bytes or larger than a quarter of a megabyte', () => {
  const size = chunkSize()
  for (let times = 0; times < 100; times++) size.took(60_000)
  expect(size.bytes()).toBe(512)
  for (let times = 0; times < 100; times++) size.took(0)
  expect(size.bytes()).toBe(262_144)
})

it('one odd chunk at most halves the next, or lets it grow by a fifth', () => {
  const size = chunkSize()
  const first = size.bytes()
  size.took(0)
  expect(size.bytes()).toBeCloseTo(1.2 * first, 9)
  size.took(60_000)
  expect(size.bytes()).toBeCloseTo(0.6 * first, 9)
})
