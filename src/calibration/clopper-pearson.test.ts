import { describe, expect, it } from 'vitest'
import { fewestTrials, isErrorWithin, lowerErrorBound, upperErrorBound } from './clopper-pearson.ts'

/** How likely it is that no more than `errors` of the trials are wrong, summed from the binomial distribution itself. */
const atMost = (errors: number, trials: number, rate: number): number => {
  let term = (1 - rate) ** trials
  let sum = term
  for (let k = 1; k <= errors; k++) {
    term *= ((trials - k + 1) / k) * (rate / (1 - rate))
    sum += term
  }
  return sum
}

describe('upperErrorBound', () => {
  it('has a closed form when nothing is wrong', () => {
    for (const trials of [1, 7, 45, 5_000]) {
      expect(upperErrorBound(0, trials, 0.9)).toBeCloseTo(1 - 0.1 ** (1 / trials), 13)
    }
  })

  it('is 1 when everything is wrong', () => {
    expect(upperErrorBound(3, 3, 0.9)).toBe(1)
    expect(upperErrorBound(0, 0, 0.9)).toBe(1)
  })

  it('is the rate at which so few errors become as unlikely as the confidence says', () => {
    for (const [errors, trials] of [
      [1, 10],
      [9, 200],
      [25, 300],
    ] as const) {
      expect(atMost(errors, trials, upperErrorBound(errors, trials, 0.9))).toBeCloseTo(0.1, 12)
    }
  })

  it('rises with every error and falls with every trial', () => {
    for (let errors = 0; errors < 40; errors++) {
      expect(upperErrorBound(errors + 1, 100, 0.9)).toBeGreaterThan(upperErrorBound(errors, 100, 0.9))
      expect(upperErrorBound(errors, 101, 0.9)).toBeLessThan(upperErrorBound(errors, 100, 0.9))
    }
  })
})

describe('isErrorWithin', () => {
  it('says on which side of the limit the bound is', () => {
    for (const trials of [1, 10, 45, 300, 5_000])
      for (const errors of [0, 1, 9, trials - 1, trials].filter(count => count <= trials)) {
        const bound = upperErrorBound(errors, trials, 0.9)
        expect(isErrorWithin(bound * (1 - 1e-9), errors, trials, 0.9)).toBe(false)
        if (errors < trials) expect(isErrorWithin(bound * (1 + 1e-9), errors, trials, 0.9)).toBe(true)
      }
  })
})

describe('lowerErrorBound', () => {
  it('is the rate at which so many errors become as unlikely as the confidence says', () => {
    for (const [errors, trials] of [
      [1, 10],
      [9, 100],
      [25, 300],
    ] as const) {
      expect(1 - atMost(errors - 1, trials, lowerErrorBound(errors, trials, 0.9))).toBeCloseTo(0.1, 12)
    }
  })

  it('is 0 when nothing is wrong', () => {
    expect(lowerErrorBound(0, 300, 0.9)).toBe(0)
    expect(lowerErrorBound(0, 0, 0.9)).toBe(0)
  })
})

describe('fewestTrials', () => {
  it.each([
    [0, 0.01, 230],
    [0, 0.02, 114],
    [0, 0.05, 45],
    [0, 0.1, 22],
    [0, 0.499, 4],
    [1, 0.05, 77],
    [2, 0.1, 52],
    [10, 0.02, 768],
  ])('with %d wrong and a target of %d needs %d, and one fewer is too few', (errors, target, trials) => {
    expect(fewestTrials(errors, target, 0.9)).toBe(trials)
    expect(upperErrorBound(errors, trials, 0.9)).toBeLessThanOrEqual(target)
    expect(upperErrorBound(errors, trials - 1, 0.9)).toBeGreaterThan(target)
  })

  it('is beyond any number of examples for a tiny target, and is computed at once', () => {
    for (const target of [1e-9, 1e-300, Number.MIN_VALUE]) {
      expect(fewestTrials(0, target, 0.9)).toBeGreaterThan(1e9)
    }
  })
})
