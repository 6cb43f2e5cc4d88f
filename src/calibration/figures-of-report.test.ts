import { describe, expect, it } from 'vitest'
import { figuresOf } from './figures-of-report.ts'
import type { CalibrationQuestionReport, MetricsAfter } from './wire.ts'

const before = { accuracy: 0.8, ece: 0.2, brier: 0.3, nll: 0.6, mean_confidence: 0.9, coverage: 1, n: 240 }
const reportWith = (after: Partial<MetricsAfter> | null): CalibrationQuestionReport => ({
  signature: 'ab',
  type: 'noul',
  question_ids: ['ok'],
  status: after === null ? 'too_few_examples' : 'fitted',
  before: { ...before, cutoff: null },
  after: after && {
    ...before,
    ...{ cutoff: 0.7, coverage: 0.6, temperature: 2 },
    ...{ coverage_at_target_error: 153 / 240, error_when_covered: 7 / 153 },
    ...after,
  },
  curves: { commonest_label: 0.4, reliability: { before: [], after: [] }, selective: [] },
})

describe('the figures of a question', () => {
  it('are what changed, what the profile answers, and what the out-of-fold check counted', () => {
    expect(figuresOf(reportWith({ nll: 0.5, ece: 0.1 }))).toEqual({
      accuracy: { before: 0.8, after: null },
      commonestLabel: 0.4,
      nll: { before: 0.6, after: 0.5 },
      ece: { before: 0.2, after: 0.1 },
      temperature: 2,
      cutoff: 0.7,
      coverage: 0.6,
      check: { answered: 153, wrong: 7 },
    })
  })

  it('have an accuracy afterwards if offsets changed it', () => {
    expect(figuresOf(reportWith({ accuracy: 0.9 })).accuracy).toEqual({ before: 0.8, after: 0.9 })
  })

  it('have no check without a cutoff, whatever the folds certified', () => {
    const figures = figuresOf(reportWith({ cutoff: null, coverage: 0 }))
    expect(figures).toMatchObject({ cutoff: 'none', coverage: 0, check: null })
  })

  it('have the counts of the check to the last one, though the report holds shares', () => {
    for (let answered = 1; answered <= before.n; answered++) {
      const wrong = answered >> 1
      const shares = { coverage_at_target_error: answered / before.n, error_when_covered: wrong / answered }
      expect(figuresOf(reportWith(shares)).check).toEqual({ answered, wrong })
    }
  })

  it('are only those before if the question was not fitted', () => {
    expect(figuresOf(reportWith(null))).toEqual({
      accuracy: { before: 0.8, after: null },
      commonestLabel: null,
      nll: { before: 0.6, after: null },
      ece: { before: 0.2, after: null },
      temperature: null,
      cutoff: null,
      coverage: null,
      check: null,
    })
  })
})
