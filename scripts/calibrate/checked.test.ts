import { describe, expect, it } from 'vitest'
import { readExamples } from '../../src/calibration/request.ts'
import type { Decision } from './ask.ts'
import { checked, scored } from './checked.ts'
import { linesOf } from './examples.ts'

const answer = (logits: Record<string, number>, abstain: boolean | null) => ({ logits, decider: { abstain } })
const decision = (answers: Decision['answers']): Decision => ({
  object: 'altdecisions.response',
  model: 'm',
  answers,
  usage: { input_tokens: 1, cost_usd: 0.0000001 },
})

/** An example as a line of the file, so that the options keep the order in which it has them. */
const line = (state: string, asked: string) => `{"state":"${state}","questions":{${asked}}}`
const TEAM = '"type":"choice","criteria":{"10":null,"2":null,"b":null}'
const examplesOf = (...lines: string[]) =>
  readExamples(linesOf(lines.join('\n')).map(({ example }) => example))

describe('the check of fresh labels', () => {
  it('counts an answer as wrong if its highest option is not the label, whatever the type', () => {
    const asked = [
      `"team":{${TEAM},"label":"2"}`,
      '"urgent":{"type":"noul","label":false}',
      '"mood":{"type":"score","criteria":["a","b","c"],"label":1}',
    ].join(',')
    const [right, wrong] = [2, -2]
    const answers = (top: number) => ({
      team: answer({ 2: top, 10: 0, b: -1 }, false),
      urgent: answer({ false: top, true: 0 }, false),
      mood: answer({ 0: 0, 1: top, 2: -1 }, false),
    })
    const found = checked(
      examplesOf(line('one', asked), line('two', asked), line('three', asked)),
      [right, wrong, right].map(answers).map(decision),
      0.05,
    )
    expect(found.map(({ questionIds: [id], labels }) => [id, labels])).toEqual([
      ['team', 3],
      ['urgent', 3],
      ['mood', 3],
    ])
    for (const { evidence, accuracy } of found) {
      expect(evidence).toMatchObject({ answered: 3, wrong: 1 })
      expect(accuracy).toBeCloseTo(2 / 3, 12)
    }
  })

  it('takes the first option of equal ones for the answer, in the order of the question', () => {
    const found = checked(
      examplesOf(line('x', `"team":{${TEAM},"label":"10"}`)),
      [decision({ team: answer({ 2: 1, 10: 1, b: 0 }, false) })],
      0.05,
    )
    expect(found[0]?.accuracy).toBe(1)
  })

  it('leaves abstentions out of the errors, but not out of the accuracy', () => {
    const asked = '"urgent":{"type":"noul","label":true}'
    const [found] = checked(
      examplesOf(line('one', asked), line('two', asked)),
      [
        decision({ urgent: answer({ false: 0, true: 3 }, false) }),
        decision({ urgent: answer({ false: 1, true: 0 }, true) }),
      ],
      0.05,
    )
    expect(found).toMatchObject({
      labels: 2,
      accuracy: 0.5,
      nll: expect.closeTo((Math.log1p(Math.exp(-3)) + Math.log1p(Math.exp(1))) / 2, 12),
      evidence: { answered: 1, wrong: 0 },
      wrongExamples: [],
    })
  })

  it('lists the wrong answers that were let through, surest first, and all wrong ones if none was', () => {
    const asked = '"urgent":{"type":"noul","label":false}'
    const examples = examplesOf(...['one', 'two', 'three', 'four'].map(state => line(state, asked)))
    const wrongIn = (...abstains: boolean[]) =>
      checked(
        examples,
        [1, 3, -1, 2].map((top, at) =>
          decision({ urgent: answer({ false: 0, true: top }, abstains[at] ?? false) }),
        ),
        0.05,
      )[0]?.wrongExamples
    expect(wrongIn(true, false, false, false)).toEqual([1, 3])
    expect(wrongIn(true, true, true, true)).toEqual([1, 3, 0])
  })

  it('gathers a question under all its ids, and tells the one that the profile does not cover', () => {
    const found = checked(
      examplesOf(
        line('one', '"a":{"type":"noul","text":"x","label":true}'),
        line('two', '"b":{"type":"noul","instructions":"x","label":true},"c":{"type":"noul","label":true}'),
      ),
      [
        decision({ a: answer({ false: 0, true: 3 }, false) }),
        decision({ b: answer({ false: 0, true: 3 }, true), c: answer({ false: 3, true: 0 }, null) }),
      ],
      0.05,
    )
    expect(found).toMatchObject([
      { questionIds: ['a', 'b'], labels: 2, verdict: 'unsure' },
      { questionIds: ['c'], labels: 1, evidence: null, verdict: 'not covered', wrongExamples: [] },
    ])
  })
})

describe('the score of answers without a profile', () => {
  it('has the accuracy of always giving the commonest label beside theirs, and the wrong ones, surest first', () => {
    const turned = '"type":"choice","criteria":{"b":null,"2":null,"10":null}'
    const examples = examplesOf(
      line('one', `"team":{${TEAM},"label":"10"}`),
      line('two', `"team":{${turned},"label":"10"}`),
      line('three', `"team":{${TEAM},"label":"2"}`),
      line('four', '"ok":{"type":"noul","label":true}'),
    )
    const [bold, shy] = [3, 1].map(top => ({ team: answer({ 2: top, 10: 0, b: 0 }, null) }))
    const found = scored(
      examples,
      [shy, bold, shy, { ok: answer({ false: 0, true: 1 }, null) }].map(answers => decision(answers ?? {})),
    )
    expect(found).toMatchObject([
      {
        ...{ questionIds: ['team'], labels: 3, wrongExamples: [1, 0] },
        ...{ accuracy: expect.closeTo(1 / 3, 12), commonestLabel: 2 / 3 },
      },
      { questionIds: ['ok'], labels: 1, accuracy: 1, commonestLabel: 1, wrongExamples: [] },
    ])
  })
})
