import { expect, it } from 'vitest'
import { writtenTarget } from './written-target.ts'

it.each([
  [0.05, '5.0%'],
  [0.125, '12.5%'],
  [0.0025, '0.25%'],
  [0.0004, '0.04%'],
  // As the page reads 1.1 percent.
  [1.1 / 100, '1.1%'],
])('a target of %j is written as %j, never as another', (target, written) => {
  expect(writtenTarget(target)).toBe(written)
})
