import { describe, expect, it } from 'vitest'
import { accuracyOf, populate, simulate } from './promise.ts'
import { KINDS_TARGET, KINDS_WORLDS, WORLDS } from './worlds.ts'

// A reduced `npm run simulate:calibration`, whose full table is in docs/calibration-method.md.
const FITS = 60
/** A promise kept nine times in ten is broken by more than this share of 60 fits only once in a thousand runs. */
const MOST_BROKEN = 14 / FITS
/** Seconds of work, more on a busy machine. */
const PATIENCE_MS = 120_000

describe.each(WORLDS)('the certified cutoff, $name', { timeout: PATIENCE_MS }, ({ accuracy, world }) => {
  const population = populate(world, 10_000, 1)

  it(`is tested where the model is right ${100 * accuracy}% of the time`, () => {
    expect(Math.abs(accuracyOf(population) - accuracy)).toBeLessThan(0.01)
  })

  it.each([
    ['without', false],
    ['with', true],
  ])('keeps its promise at targets of 0.02, 0.05 and 0.1, %s offsets', (_, offsets) => {
    const trial = { examples: 400, targets: [0.02, 0.05, 0.1], fits: FITS, seed: 1, offsets }
    for (const { certified, targetError } of simulate(world, population.slice(0, 3_000), trial)) {
      expect(certified.broken, `target ${targetError}`).toBeLessThanOrEqual(MOST_BROKEN)
    }
  })
})

describe.each(KINDS_WORLDS)('the certified cutoff, $name', { timeout: PATIENCE_MS }, one => {
  const brokenOn = (examples: number, fits: number, offsets = false) =>
    simulate(one.world, populate(one.world, 2_000, 1), {
      examples,
      targets: [KINDS_TARGET],
      fits,
      seed: 1,
      offsets,
    })[0]?.certified.broken

  it('keeps its promise on 200 examples', () => {
    expect(brokenOn(200, FITS)).toBeLessThanOrEqual(MOST_BROKEN)
    expect(brokenOn(200, FITS, true)).toBeLessThanOrEqual(MOST_BROKEN)
  })

  it('keeps its promise on as many as it takes to tell the kinds apart', () => {
    const most = Math.max(...one.examples)
    expect(brokenOn(most, 100_000 / most)).toBeLessThanOrEqual(MOST_BROKEN)
  })
})

describe('the simulation', { timeout: PATIENCE_MS }, () => {
  const of = (sought: string, right: number) => {
    const { world } =
      WORLDS.find(({ name, accuracy }) => name === sought && accuracy === right) ??
      expect.fail('no such world')
    const population = populate(world, 10_000, 1)
    return (examples: number, targetError: number, fits: number) =>
      simulate(world, population, { examples, targets: [targetError], fits, seed: 2 })[0] ??
      expect.fail('no result')
  }
  const noisy = of('noisy', 0.77)

  it('sees the naive rule break its target in many fits', () => {
    expect(noisy(400, 0.05, FITS).naive.broken).toBeGreaterThan(0.3)
  })

  it('sees offsets let a model that leans answer far more', () => {
    const { world } = WORLDS.find(({ name }) => name === 'leaning') ?? expect.fail('no such world')
    const population = populate(world, 10_000, 1)
    const [without = 0, withOffsets = 0] = [false, true].map(offsets => {
      const trial = { examples: 500, targets: [0.1], fits: 20, seed: 3, offsets }
      return simulate(world, population, trial)[0]?.certified.coverage
    })
    expect(withOffsets).toBeGreaterThan(without + 0.15)
  })

  it('sees cutoffs that do cover, and cover more with more examples', () => {
    const many = noisy(2_000, 0.1, 20).certified.coverage
    expect(many).toBeGreaterThan(noisy(200, 0.1, 20).certified.coverage)
    expect(many).toBeGreaterThan(0.25)
  })

  it('sees a few wrong labels among the surest answers seldom end a test at its start', () => {
    expect(of('mislabelled', 0.92)(1_000, 0.1, FITS).certified.silent).toBeLessThan(0.15)
  })
})
