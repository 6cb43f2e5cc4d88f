import type { Clustered } from './clusters.ts'
import type { Smooth } from './smooth.ts'

const USUAL = { overconfidence: 1.8, noise: 0.3, luck: 0 }

/** Separations chosen so that the model is right as often as `accuracy` says. */
export const WORLDS: { name: string; accuracy: number; world: Smooth }[] = [
  { name: 'well informed', accuracy: 0.77, world: { ...USUAL, options: 3, separation: 2.415 } },
  { name: 'well informed', accuracy: 0.92, world: { ...USUAL, options: 3, separation: 7.564 } },
  { name: 'noisy', accuracy: 0.77, world: { ...USUAL, options: 3, separation: 3.076, noise: 1 } },
  { name: 'noisy', accuracy: 0.92, world: { ...USUAL, options: 3, separation: 9.607, noise: 1 } },
  // Even its surest answers are wrong 2% of the time, so a target of 2% is out of reach.
  { name: 'part luck', accuracy: 0.77, world: { ...USUAL, options: 2, separation: 1.527, luck: 0.04 } },
  { name: 'part luck', accuracy: 0.92, world: { ...USUAL, options: 2, separation: 6.349, luck: 0.04 } },
  { name: 'ten options', accuracy: 0.77, world: { ...USUAL, options: 10, separation: 4.787 } },
  // Offsets are for models like these. The others do not need them.
  { name: 'leaning', accuracy: 0.8, world: { ...USUAL, options: 3, separation: 5, leaning: 6 } },
  {
    name: 'leaning, twenty options',
    accuracy: 0.76,
    world: { ...USUAL, options: 20, separation: 6, leaning: 3 },
  },
  // 6% of labels are drawn at random, which makes 4% wrong. Nobody can tell a wrong label from a wrong answer, so both
  // are errors, in the truth as well, and a target of 2% is out of reach.
  { name: 'mislabelled', accuracy: 0.77, world: { ...USUAL, options: 3, separation: 2.794, luck: 0.06 } },
  { name: 'mislabelled', accuracy: 0.92, world: { ...USUAL, options: 3, separation: 14.097, luck: 0.06 } },
]

/** The target that tests a cutoff hardest in the worlds of kinds. */
export const KINDS_TARGET = 0.2

/** Half of the cases are well within the target and half far beyond it. Taken together they break it. */
const stepAt = (jitter: number): Clustered => ({
  options: 2,
  jitter,
  kinds: [
    { gap: 6, contenders: 2, error: 0.2 * KINDS_TARGET },
    { gap: 5, contenders: 2, error: 2.1 * KINDS_TARGET },
  ],
})

const EVEN_ERROR = 1.05 * KINDS_TARGET

/**
 * All kinds are wrong equally often, and a little too often, so nothing should be accepted. At the temperature that
 * fits, all kinds are equally sure. Below it the kinds with many contenders come first, above it those with few, so
 * the labels decide which kind to begin with.
 */
const crossing = (options: number, contenders: readonly number[], jitter: number): Clustered => ({
  options,
  jitter,
  kinds: contenders.map(count => ({
    gap: Math.log(((count - 1) * (1 - EVEN_ERROR)) / EVEN_ERROR),
    contenders: count,
    error: EVEN_ERROR,
  })),
})

/** Worlds in which a kind of case is accepted or not as a whole, at the sizes that test a cutoff hardest. */
export const KINDS_WORLDS: { name: string; world: Clustered; examples: number[] }[] = [
  { name: 'two kinds, exact ties', world: stepAt(0), examples: [200, 1_000, 5_000] },
  { name: 'two kinds, near ties (0.001)', world: stepAt(0.001), examples: [200, 1_000] },
  { name: 'two kinds, near ties (0.01)', world: stepAt(0.01), examples: [200, 5_000] },
  { name: 'two kinds, near ties (0.03)', world: stepAt(0.03), examples: [200, 1_000] },
  { name: 'turning order, 3 options', world: crossing(3, [2, 3], 0.02), examples: [200, 1_000] },
  { name: 'turning order, 5 options', world: crossing(5, [2, 3, 4, 5], 0.1), examples: [200, 1_000] },
  { name: 'turning order, 10 options', world: crossing(10, [2, 10], 0.02), examples: [200, 1_000] },
]
