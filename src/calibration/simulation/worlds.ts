import type { World } from './world.ts'

const overconfidence = 1.8

/** Separations chosen so that the model is right as often as `accuracy` says. */
export const WORLDS: { name: string; accuracy: number; world: World }[] = [
  {
    name: 'well informed',
    accuracy: 0.77,
    world: { options: 3, separation: 2.415, overconfidence, noise: 0.3, luck: 0 },
  },
  {
    name: 'well informed',
    accuracy: 0.92,
    world: { options: 3, separation: 7.564, overconfidence, noise: 0.3, luck: 0 },
  },
  {
    name: 'noisy',
    accuracy: 0.77,
    world: { options: 3, separation: 3.076, overconfidence, noise: 1, luck: 0 },
  },
  {
    name: 'noisy',
    accuracy: 0.92,
    world: { options: 3, separation: 9.607, overconfidence, noise: 1, luck: 0 },
  },
  // Even its surest answers err in 2 % of all cases, so a target of 2 % is out of reach.
  {
    name: 'part luck',
    accuracy: 0.77,
    world: { options: 2, separation: 1.527, overconfidence, noise: 0.3, luck: 0.04 },
  },
  {
    name: 'part luck',
    accuracy: 0.92,
    world: { options: 2, separation: 6.349, overconfidence, noise: 0.3, luck: 0.04 },
  },
]
