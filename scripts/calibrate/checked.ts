import { type Asking, bySignature } from '../../src/calibration/by-signature.ts'
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

/** Compares the decision of each example with its labels. */
export const checked = (
  examples: readonly Example[],
  decisions: readonly Decision[],
  targetError: number,
): Checked[] => {
  const rowOf = ({ asked, label }: Labelled, { group, example, id }: Asking): Row => {
    const { logits, decider } = present(decisions[example]?.answers[id], 'an answer')
    const inOrder = optionNames(asked.question).map(option => present(logits[option], 'a logit'))
    // The service has already added offsets and divided by the temperature.
    const judged = judge(labelledRow(group, label, inOrder), 1)
    return { ...judged, example, abstain: decider.abstain }
  }
  return [...bySignature(examples, rowOf).values()].map(({ ids, rows }) => {
    const { n, accuracy, nll } = measure(rows, null, 1)
    const covered = rows.some(({ abstain }) => abstain !== null)
    const letThrough = rows.filter(({ abstain }) => abstain === false)
    const evidence = covered ? evidenceOf(letThrough) : null
    const verdict = verdictOn(evidence, targetError)
    return {
      questionIds: [...ids.keys()],
      labels: n,
      accuracy,
      nll,
      evidence,
      verdict,
      wrongExamples: surestFirst(verdict === 'silent' ? rows : letThrough)
        .filter(({ correct }) => !correct)
        .map(({ example }) => example),
    }
  })
}

type Row = Judged & Decision['answers'][string]['decider'] & { example: number }

const surestFirst = (rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => other.confidence - one.confidence)
