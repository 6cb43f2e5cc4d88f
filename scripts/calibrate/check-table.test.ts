import { expect, it } from 'vitest'
import { checkTable } from './check-table.ts'
import { evidenceOf } from './verdict.ts'

it('shows each question with its labels, what was let through, and the verdict in words', () => {
  const row = { questionIds: ['team'], labels: 200, accuracy: 0.8, nll: 0.41, wrongExamples: [] }
  const evidence = { answered: 120, wrong: 3, atLeast: 0.009, atMost: 0.0548 }
  const text = checkTable('decider-preview-2026-10-13', 0.05, [
    { ...row, evidence, verdict: 'unsure' },
    { ...row, evidence: { ...evidence, wrong: 0, atLeast: 0, atMost: 0.019 }, verdict: 'keeps' },
    { ...row, questionIds: ['a', 'b', '\u001b[2J'], evidence, verdict: 'breaks' },
    { ...row, questionIds: ['\u001b[2J'], evidence: evidenceOf([]), verdict: 'silent' },
    { ...row, questionIds: ['other'], evidence: null, verdict: 'not covered' },
  ])
  expect(text.split('\n').map(line => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'decider-preview-2026-10-13, target error 5.0%',
    '',
    'question | labels | accuracy | log loss | answered | wrong when answered | at least (90%) | at most (90%) | verdict',
    expect.stringMatching(/^─/),
    'team | 200 | 80.0% | 0.410 | 60.0% | 2.5% (3 of 120) | 0.9% | 5.5% | undecided',
    'team | 200 | 80.0% | 0.410 | 60.0% | 0.0% (0 of 120) | 0.0% | 1.9% | keeps to its target',
    'a, b, +1 | 200 | 80.0% | 0.410 | 60.0% | 2.5% (3 of 120) | 0.9% | 5.5% | more wrong than the target allows: fit again',
    '\uFFFD[2J | 200 | 80.0% | 0.410 | 0.0% | every answer abstains: nothing to check',
    'other | 200 | 80.0% | 0.410 | not covered by the profile: fit again',
  ])
})
