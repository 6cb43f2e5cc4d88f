import { labelledRow, type Row } from '../row.ts'
import { type Clustered, drawClustered } from './clusters.ts'
import { normal } from './normal.ts'

// A world whose truth is known: what no real data set offers, and what the promise has to be tested in.

export type World = Smooth | Clustered

/** Every case is a little different from every other. */
export type Smooth = {
  options: number
  /** How far apart the true log-odds lie: 3 is hard, 8 is easy. */
  separation: number
  /** Every logit is this many times too large: above 1 the model is overconfident. */
  overconfidence: number
  /** Standard deviation of what the model gets wrong about the true log-odds. */
  noise: number
  /** Share of cases whose right answer is any option, whatever the model could know. */
  luck: number
}

export type Draw = { logits: number[]; truth: number[] }

/** The model's logits for a random case, and the true probability of each option. */
export const drawCase = (world: World, random: () => number): Draw =>
  'kinds' in world ? drawClustered(world, random) : drawSmooth(world, random)

const drawSmooth = (world: Smooth, random: () => number): Draw => {
  const odds = Array.from({ length: world.options }, () => world.separation * normal(random))
  const highest = Math.max(...odds)
  const weights = odds.map(odd => Math.exp(odd - highest))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return {
    logits: odds.map(odd => world.overconfidence * (odd + world.noise * normal(random))),
    truth: weights.map(weight => (1 - world.luck) * (weight / sum) + world.luck / world.options),
  }
}

export const drawRow = (world: World, random: () => number, group: string): Row => {
  const { logits, truth } = drawCase(world, random)
  let left = random()
  const label = truth.findIndex(probability => {
    left -= probability
    return left < 0
  })
  const index = label === -1 ? truth.length - 1 : label
  return labelledRow(group, String(index), logits, index)
}

export const drawRows = (world: World, count: number, random: () => number): Row[] =>
  Array.from({ length: count }, (_, index) => drawRow(world, random, `state ${index}`))

/** Mulberry32: small, fast, and the same everywhere for the same seed. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
