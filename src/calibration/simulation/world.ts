import { labelledRow, type Row } from '../row.ts'
import { type Clustered, drawClustered } from './clusters.ts'
import type { Draw } from './draw.ts'
import { drawSmooth, type Smooth } from './smooth.ts'

// A world whose truth is known. No real data set offers that, and the promise has to be tested in one.

export type World = Smooth | Clustered

export const drawCase = (world: World, random: () => number): Draw =>
  'kinds' in world ? drawClustered(world, random) : drawSmooth(world, random)

const drawRow = (world: World, random: () => number, group: string): Row => {
  const { logits, truth } = drawCase(world, random)
  let left = random()
  const label = truth.findIndex(probability => {
    left -= probability
    return left < 0
  })
  const index = label === -1 ? truth.length - 1 : label
  return labelledRow(group, { name: String(index), index }, logits)
}

export const drawRows = (world: World, count: number, random: () => number): Row[] =>
  Array.from({ length: count }, (_, index) => drawRow(world, random, `state ${index}`))
