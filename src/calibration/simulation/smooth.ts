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
  /** By how much the model favours its first option over the last, whatever the case; the others lie in between. */
  leaning?: number
}

export const drawSmooth = (world: Smooth, random: () => number): Draw => {
  const odds = Array.from({ length: world.options }, () => world.separation * normal(random))
  const highest = Math.max(...odds)
  const weights = odds.map(odd => Math.exp(odd - highest))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const { leaning = 0, options } = world
  const favoured = (option: number) => leaning * (1 - option / (options - 1))
  return {
    logits: odds.map(
      (odd, option) => world.overconfidence * (odd + world.noise * normal(random)) + favoured(option),
    ),
    truth: weights.map(weight => (1 - world.luck) * (weight / sum) + world.luck / world.options),
  }
}
