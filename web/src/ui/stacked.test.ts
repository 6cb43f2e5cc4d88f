import { expect, it } from 'vitest'
import { stacked } from './stacked.ts'

it('bars that stand on each other reach to the sum of what is below, and are drawn from the highest down', () => {
  const layers = [
    { name: 'low', values: [2, 0, 1] },
    { name: 'middle', values: [2, null, 0] },
    { name: 'high', values: [2, 3, 4] },
  ]
  expect(stacked(layers)).toEqual([
    { name: 'high', values: [6, 3, 5] },
    { name: 'middle', values: [4, null, 1] },
    { name: 'low', values: [2, null, 1] },
  ])
})
