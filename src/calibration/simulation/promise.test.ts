import { describe, expect, it } from 'vitest'
import { accuracyOf, populate, simulate } from './promise.ts'
import { WORLDS } from './worlds.ts'

// A reduced `npm run simulate:calibration`, whose full table is in docs/calibration.md.
const FITS = 100
/** Of 100 fits, a promise kept nine times in ten breaks more often than this once in a thousand. */
const MOST_BROKEN = 0.2

describe.each(WORLDS)('the certified cutoff, $name', ({ accuracy, world }) => {
  const population = populate(world, 10_000, 1)

  it(`is tested where the model is right in ${100 * accuracy} % of all cases`, () => {
    expect(Math.abs(accuracyOf(population) - accuracy)).toBeLessThan(0.01)
  })

  it.each([0.02, 0.05, 0.1])('keeps a target of %d', targetError => {
    const { certified } = simulate(world, population, { examples: 400, targetError, fits: FITS, seed: 1 })
    expect(certified.broken).toBeLessThanOrEqual(MOST_BROKEN)
  })
})

describe('the simulation', () => {
  const noisy = WORLDS.find(({ name }) => name === 'noisy')?.world ?? expect.fail('no such world')
  const population = populate(noisy, 10_000, 1)

  it('sees the naive rule break its target in many fits', () => {
    const { naive } = simulate(noisy, population, { examples: 400, targetError: 0.05, fits: FITS, seed: 2 })
    expect(naive.broken).toBeGreaterThan(0.3)
  })

  it('sees cutoffs that do cover, and cover more with more examples', () => {
    const covered = (examples: number) =>
      simulate(noisy, population, { examples, targetError: 0.1, fits: 20, seed: 3 }).certified.coverage
    expect(covered(2_000)).toBeGreaterThan(covered(200))
    expect(covered(2_000)).toBeGreaterThan(0.25)
  })
})
