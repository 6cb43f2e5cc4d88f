import { describe, expect, it } from 'vitest'
import type { Checked } from './checked.ts'
import { surestWrong } from './surest-wrong.ts'
import { evidenceOf } from './verdict.ts'

const question: Checked = {
  questionIds: ['team'],
  labels: 200,
  accuracy: 0.8,
  nll: 0.5,
  evidence: evidenceOf([]),
  verdict: 'keeps',
  wrongExamples: [],
}
// The file has an empty line before each example.
const lines = Array.from({ length: 100 }, (_, example) => ({ number: 2 * example + 2 }))

describe('the surest wrong answers', () => {
  it('are told by their lines in the file, in order, and only of questions that have some', () => {
    expect(surestWrong([{ ...question, wrongExamples: [7, 0, 3] }, question], lines)).toEqual([
      'team, let through and wrong, surest first: lines 16, 2, 8',
    ])
  })

  it('are at most twenty a question, and the others are counted', () => {
    const said = (count: number) =>
      surestWrong([{ ...question, wrongExamples: [...lines.keys()].slice(0, count) }], lines)[0]
    expect(said(20)).toMatch(/ 2, 4, .* 38, 40$/)
    expect(said(25)).toMatch(/ 2, 4, .* 38, 40 and 5 more$/)
  })

  it('name a line once if it asks the question under two ids', () => {
    expect(surestWrong([{ ...question, wrongExamples: [1, 1] }], lines)[0]).toMatch(/: lines 4$/)
  })

  it('are those of all answers where every answer abstains', () => {
    expect(surestWrong([{ ...question, verdict: 'silent', wrongExamples: [0] }], lines)).toEqual([
      'team, wrong, though none was let through, surest first: lines 2',
    ])
  })
})
