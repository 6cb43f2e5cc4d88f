import type { Draw } from './draw.ts'
import { normal } from './random.ts'

/** Every case is a little different from every other. */
export type Smooth = {
  options: number
  /** How far apart the true log-odds lie: 3 is hard, 8 is easy. */
  separation: number
  /** Every logit is this many times too large: above 1 the model is overconfident. */
  overconfidence: number
  /** Standard deviation of what the model gets wrong about the true log-odds. */
  noise: number
  /** Share of cases whose right answer is random, whatever the model could know. */
  luck: number
}

export const drawSmooth = (world: Smooth, random: () => number): Draw => {
  const odds = Array.from({ length: world.options }, () => world.separation * normal(random))
  const highest = Math.max(...odds)
  const weights = odds.map(odd => Math.exp(odd - highest))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return {
    logits: odds.map(odd => world.overconfidence * (odd + world.noise * normal(random))),
    truth: weights.map(weight => (1 - world.luck) * (weight / sum) + world.luck / world.options),
  }
}
