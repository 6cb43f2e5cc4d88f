import { describe, expect, it } from 'vitest'
import type { CalibrationQuestionReport, CalibrationResponse } from '../../src/calibration/wire.ts'
import { usageOf } from '../../src/decision/usage.ts'
import { page } from './page.ts'
import { table } from './table.ts'

const metrics = {
  accuracy: 0.8,
  ece: 0.12,
  brier: 0.3,
  nll: 0.6,
  mean_confidence: 0.9,
  coverage: 1,
  cutoff: null,
  n: 120,
}
const after = {
  ...metrics,
  ece: 0.03,
  nll: 0.5,
  temperature: 1.8,
  cutoff: 0.7,
  coverage: 0.6,
  coverage_at_target_error: 0.55,
  error_when_covered: 0.04,
}
const bins = [
  { n: 60, confidence: 0.6, accuracy: 0.5 },
  { n: 60, confidence: 0.95, accuracy: 0.9 },
]
const fitted: CalibrationQuestionReport = {
  signature: 'ab'.repeat(16),
  type: 'choice',
  question_ids: ['team'],
  status: 'fitted',
  before: metrics,
  after,
  curves: {
    commonest_label: 0.4,
    reliability: { before: bins, after: [{ n: 120, confidence: 0.7, accuracy: 0.71 }] },
    selective: [
      { confidence: 0.9, coverage: 0.3, error: 0 },
      { confidence: 0.7, coverage: 0.6, error: 0.04 },
      { confidence: 0.4, coverage: 1, error: 0.2 },
    ],
  },
}
const few: CalibrationQuestionReport = {
  ...fitted,
  question_ids: ['rare'],
  status: 'too_few_examples',
  after: null,
}
const uncertified: CalibrationQuestionReport = {
  ...fitted,
  question_ids: ['hard'],
  // As if the folds, with fewer examples, were luckier than all examples together.
  after: { ...after, cutoff: null, coverage: 0, coverage_at_target_error: 0.178, error_when_covered: 0.042 },
}
/** No fold certified a cutoff of its own. */
const unchecked: CalibrationQuestionReport = {
  ...fitted,
  after: { ...after, coverage_at_target_error: 0, error_when_covered: null },
}
const calibration = (...questions: CalibrationQuestionReport[]): CalibrationResponse => ({
  object: 'calibration',
  model: 'decider-preview-2026-10-13',
  target_error: 0.05,
  profile: 'calp1.k1.AAAA',
  n_examples: 240,
  questions,
  note: 'A note.',
  usage: { ...usageOf([]), input_tokens: 12_345, cost_usd: 0.0012345 },
})
const pageOf = (...questions: CalibrationQuestionReport[]) => page(calibration(...questions), new Date(0))

describe('the report page', () => {
  it('draws two reliability diagrams and the curve with its cutoff', () => {
    const html = pageOf(fitted)
    expect(html.match(/<svg /g)).toHaveLength(3)
    const [before, after] = html.split('<figcaption>')
    expect(before).toContain('60 examples: confidence 60.0%, accuracy 50.0%')
    expect(after).toContain('120 examples: confidence 70.0%, accuracy 71.0%')
    expect(html).toContain('class="mark-point"')
    expect(html).toContain('<figcaption>Errors against coverage, with the cutoff</figcaption>')
    expect(html).toContain('calp1.k1.AAAA')
  })

  it('lists each figure before and after', () => {
    const before = { ...metrics, accuracy: 0.81, nll: 0.61, brier: 0.31, mean_confidence: 0.91, ece: 0.11 }
    const later = { accuracy: 0.82, nll: 0.52, brier: 0.22, mean_confidence: 0.82, ece: 0.02 }
    const offsets = { '<b>': -0.5, c: 0.5 }
    const html = pageOf({ ...fitted, before, after: { ...after, ...later, offsets } })
    expect(html).toContain('<th>before</th><th>after</th>')
    const rows = html.matchAll(/<tr><th>(.*?)<\/th><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g)
    expect([...rows].map(([, ...cells]) => cells.join(' '))).toEqual([
      'Accuracy 0.810 0.820',
      'Log loss 0.610 0.520',
      'Brier score 0.310 0.220',
      'Mean confidence 0.910 0.820',
      'Calibration error 0.110 0.020',
      'Temperature 1.000 1.800',
      'Offset of &lt;b&gt; 0.000 -0.500',
      'Offset of c 0.000 0.500',
    ])
  })

  it('says of how many examples it is, of which model, day and target, and what they cost', () => {
    const html = page({ ...calibration(fitted), model: '<model>', n_examples: 1_240 }, new Date(0))
    expect(html).toContain('<p>&lt;model&gt; · 1,240 examples · target error 5.0% · 1970-01-01</p>')
    expect(html).toContain('<h2>team <small>choice, 120 labels</small></h2>')
    expect(html).toContain('12,345 tokens scored, $0.001234.')
  })

  it('needs nothing from anywhere, and runs nothing', () => {
    const html = pageOf(fitted, few, uncertified)
    expect(html).not.toMatch(/<script|<link|<img|url\(|https?:/i)
    expect(html).toContain("default-src 'none'")
  })

  it('knows light and dark', () => {
    expect(pageOf(fitted)).toContain('prefers-color-scheme: dark')
  })

  it('says so when nothing could be certified, and marks no cutoff', () => {
    const html = pageOf(uncertified)
    expect(html).toContain('every answer abstains')
    expect(html).not.toContain('class="mark-point"')
    expect(html).not.toContain('with the cutoff')
  })

  it('says what share the profile answers, and what the check of the procedure counted', () => {
    const html = pageOf(fitted)
    expect(html).toContain('lets answers through whose confidence is 0.700 or more')
    expect(html).toContain('at most 5.0% of them are wrong')
    expect(html).toContain('It answers <strong>60.0%</strong>')
    expect(html).toContain('3 of 66 answers were wrong (4.5%)')
    expect(html).toContain('commonest label</th><td>0.400</td></tr>')
    expect(page({ ...calibration(fitted), target_error: 0.0025 }, new Date(0))).toContain(
      'at most 0.25% of them',
    )
    expect(pageOf(unchecked)).toContain('left out of the fit, nothing was answered.')
  })

  it('shows warnings and the note as text', () => {
    expect(pageOf(fitted)).not.toContain('Warnings')
    const said = { note: '<i>', warnings: ['<b>: look'], profile: '<u>' }
    const html = page({ ...calibration(fitted), ...said }, new Date(0))
    expect(html).toContain('<li>&lt;b&gt;: look</li>')
    expect(html).toContain('<p class="note">&lt;i&gt;</p>')
    expect(html).toContain('<pre class="token">&lt;u&gt;</pre>')
  })

  it('says so when labels were too few, without diagrams', () => {
    const html = pageOf(few)
    expect(html).toContain('Fewer than 50 examples')
    expect(html).toContain('too few')
    expect(html).not.toContain('<svg')
    expect(html).not.toContain('<th>after</th>')
  })

  it('takes ids as text, whatever they hold', () => {
    const html = pageOf({ ...fitted, question_ids: ['<b onmouseover=alert(1)>"&\''] })
    expect(html).not.toContain('<b ')
    expect(html).toContain('&lt;b onmouseover=alert(1)&gt;&quot;&amp;&#39;')
  })

  it('holds no number that is not one', () => {
    expect(pageOf(fitted, few, uncertified)).not.toMatch(/NaN|Infinity|undefined|null/)
  })
})

describe('the table', () => {
  it('has a line per question', () => {
    const lines = table(calibration(fitted, few, uncertified)).split('\n')
    expect(lines).toHaveLength(13)
    expect(lines[0]).toBe('decider-preview-2026-10-13, target error 5.0%')
    expect(lines[2]?.replaceAll(/ {2,}/g, ' | ')).toBe(
      'question | labels | status | accuracy | commonest label | log loss | ECE | temperature | cutoff | answered | wrong when answered (out-of-fold check)',
    )
    expect(lines[4]?.replaceAll(/ {2,}/g, ' | ')).toBe(
      'team | 120 | fitted | 80.0% | 40.0% | 0.600 → 0.500 | 0.120 → 0.030 | 1.80 | 0.700 | 60.0% | 4.5% (3 of 66)',
    )
    expect(lines[5]).toContain('too_few_examples')
    expect(lines[6]).toMatch(/ none +0\.0%$/)
    expect(table(calibration(unchecked))).toMatch(/ none answered$/m)
  })

  it('says what to do about a cutoff that could not be certified, and only then', () => {
    expect(table(calibration(fitted, uncertified))).toContain('No cutoff')
    expect(table(calibration(fitted, few))).not.toContain('No cutoff')
  })

  it('keeps control characters out of the terminal', () => {
    const ids = { ...fitted, question_ids: ['\u001b[2Jx'] }
    const said = table({ ...calibration(ids), warnings: ['\u001b[2Jx: look'] })
    expect(said).not.toContain('\u001b')
    expect(said).toContain('Warning: \uFFFD[2Jx: look')
  })
})
