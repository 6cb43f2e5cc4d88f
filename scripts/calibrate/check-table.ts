import { writtenTarget } from '../../src/calibration/written-target.ts'
import { inColumns, legible } from '../terminal.ts'
import type { Checked } from './checked.ts'
import { named, percent, wrongOf } from './table.ts'
import type { Evidence, Verdict } from './verdict.ts'

const HEAD = [
  'question',
  'labels',
  'accuracy',
  'log loss',
  'answered',
  'wrong when answered',
  'at least (90%)',
  'at most (90%)',
  'verdict',
]

/** What a check found, for a terminal. */
export const checkTable = (model: string, targetError: number, questions: readonly Checked[]): string =>
  `${legible(model)}, target error ${writtenTarget(targetError)}\n\n${inColumns([HEAD, ...questions.map(rowOf)])}`

const rowOf = ({ questionIds, labels, accuracy, nll, evidence, verdict }: Checked): string[] => [
  named(questionIds),
  String(labels),
  percent(accuracy),
  nll.toFixed(3),
  ...(evidence === null ? ['', '', '', ''] : letThrough(evidence, labels)),
  VERDICTS[verdict],
]

const letThrough = (evidence: Evidence, labels: number): string[] =>
  evidence.answered === 0
    ? [percent(0), '', '', '']
    : [
        percent(evidence.answered / labels),
        wrongOf(evidence),
        percent(evidence.atLeast),
        percent(evidence.atMost),
      ]

const VERDICTS: Readonly<Record<Verdict, string>> = {
  unsure: 'undecided',
  keeps: 'keeps to its target',
  breaks: 'more wrong than the target allows: fit again',
  silent: 'every answer abstains: nothing to check',
  'not covered': 'not covered by the profile: fit again',
}
