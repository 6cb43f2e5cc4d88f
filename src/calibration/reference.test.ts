import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { upperErrorBound } from './clopper-pearson.ts'
import { fitFolded } from './fit.ts'
import { measure } from './metrics.ts'
import { judge, labelledRow } from './row.ts'
import { fitOffsets } from './scale.ts'
import { fitTemperature } from './temperature.ts'
import type { Metrics, MetricsAfter } from './wire.ts'

// Made by test/reference/calibration.py with SciPy and scikit-learn.
const reference: {
  bounds: [errors: number, trials: number, confidence: number, bound: number][]
  sets: {
    name: string
    target_error: number
    logits: number[][]
    labels: number[]
    folds: number[]
    raw: Judgement
    'at_2.5': Judgement
    offsets: number[]
    fit: Omit<MetricsAfter, 'n'>
  }[]
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../test/reference/calibration.json'), 'utf8'))
type Judgement = Omit<Metrics, 'coverage' | 'cutoff'>

describe('against SciPy', () => {
  it(`gives the Clopper–Pearson bounds of beta.ppf (${reference.bounds.length} of them)`, () => {
    for (const [errors, trials, confidence, bound] of reference.bounds) {
      expect(Math.abs(upperErrorBound(errors, trials, confidence) - bound)).toBeLessThan(1e-9)
    }
  })
})

describe.each(reference.sets)('against SciPy and scikit-learn: $name', set => {
  const rows = set.logits.map((logits, index) => {
    const label = set.labels[index] ?? 0
    return labelledRow(`state ${index}`, { name: String(label), index: label }, logits)
  })
  const metricsAt = (temperature: number) =>
    measure(
      rows.map(row => judge(row, temperature)),
      null,
      1,
    )

  it('finds the temperature within 1e-4', () => {
    const temperature = fitTemperature(rows)
    expect(Math.abs(temperature - set.fit.temperature)).toBeLessThan(1e-4)
  })

  it('finds the offsets within 1e-3', () => {
    const offsets = fitOffsets(rows, fitTemperature(rows))
    expect(offsets).toHaveLength(set.offsets.length)
    for (const [option, offset] of offsets.entries())
      expect(Math.abs(offset - (set.offsets[option] ?? Number.NaN)), `option ${option}`).toBeLessThan(1e-3)
  })

  it.each([
    [1, set.raw],
    [2.5, set['at_2.5']],
  ])('measures within 1e-9 at temperature %d', (temperature, expected) => {
    expectClose(metricsAt(temperature), expected, 1e-9)
  })

  it('gives the same out-of-fold report on the same folds', () => {
    const folded = rows.map((row, index) => ({ ...row, fold: set.folds[index] ?? 0 }))
    // The temperatures behind these figures agree to SciPy's own tolerance, not to the last digit.
    expectClose(fitFolded(folded, set.target_error).after, set.fit, 1e-6)
  })
})

const expectClose = (actual: object, expected: object, tolerance: number) => {
  const figures = new Map(Object.entries(actual))
  for (const [name, figure] of Object.entries(expected)) {
    if (figure === null) expect(figures.get(name), name).toBeNull()
    else expect(Math.abs(figures.get(name) - figure), name).toBeLessThanOrEqual(tolerance)
  }
}
