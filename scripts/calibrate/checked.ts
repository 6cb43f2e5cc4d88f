import { type Asking, bySignature } from '../../src/calibration/by-signature.ts'
import { commonestLabelCount } from '../../src/calibration/doubts.ts'
import { measure } from '../../src/calibration/metrics.ts'
import type { Example, Labelled } from '../../src/calibration/request.ts'
import { type Judged, judge, labelledRow } from '../../src/calibration/row.ts'
import { optionNames } from '../../src/decision/option-names.ts'
import { present } from '../../src/present.ts'
import type { Decision } from './ask.ts'
import { type Evidence, evidenceOf, type Verdict, verdictOn } from './verdict.ts'

/** How a profile does on fresh labels of one question. */
export type Checked = {
  questionIds: readonly string[]
  labels: number
  /** Of all answers, whether let through or not. */
  accuracy: number
  nll: number
  /** Of the answers that were let through; null if the profile does not cover the question. */
  evidence: Evidence | null
  verdict: Verdict
  /** Whose answers were let through and wrong or, if every answer abstains, just wrong. Surest first. */
  wrongExamples: readonly number[]
}

/** How the answers to one question do without a profile. */
export type Scored = Pick<Checked, 'questionIds' | 'labels' | 'accuracy' | 'nll'> & {
  /** The accuracy of always giving the commonest label. */
  commonestLabel: number
  /** Whose answers are wrong. Surest first. */
  wrongExamples: readonly number[]
}

export const scored = (examples: readonly Example[], decisions: readonly Decision[]): Scored[] =>
  byQuestion(examples, decisions).map(({ rows, ...figures }) => ({
    ...figures,
    commonestLabel: commonestLabelCount(rows) / figures.labels,
    wrongExamples: wrongOf(rows),
  }))

/** Compares the decision of each example with its labels. */
export const checked = (
  examples: readonly Example[],
  decisions: readonly Decision[],
  targetError: number,
): Checked[] =>
  byQuestion(examples, decisions).map(({ rows, ...figures }) => {
    const covered = rows.some(({ abstain }) => abstain !== null)
    const letThrough = rows.filter(({ abstain }) => abstain === false)
    const evidence = covered ? evidenceOf(letThrough) : null
    const verdict = verdictOn(evidence, targetError)
    return {
      ...figures,
      evidence,
      verdict,
      wrongExamples: wrongOf(verdict === 'silent' ? rows : letThrough),
    }
  })

type Row = Judged & Decision['answers'][string]['decider'] & { example: number; place: number }

/** The answers to each question, and what is measured of all of them. */
const byQuestion = (examples: readonly Example[], decisions: readonly Decision[]) => {
  const rowOf = ({ asked, label }: Labelled, { group, example, id }: Asking): Row => {
    const { logits, decider } = present(decisions[example]?.answers[id], 'an answer')
    const inOrder = optionNames(asked.question).map(option => present(logits[option], 'a logit'))
    // The service has already added offsets and divided by the temperature.
    const row = labelledRow(group, label, inOrder, asked.places)
    return { ...judge(row, 1), place: row.place, example, abstain: decider.abstain }
  }
  return [...bySignature(examples, rowOf).values()].map(({ ids, rows }) => {
    const { n, accuracy, nll } = measure(rows, null, 1)
    return { questionIds: [...ids.keys()], labels: n, accuracy, nll, rows }
  })
}

/** The examples that are answered wrongly, surest first. */
const wrongOf = (rows: readonly Row[]): number[] =>
  rows
    .filter(({ correct }) => !correct)
    .toSorted((one, other) => other.confidence - one.confidence)
    .map(({ example }) => example)
