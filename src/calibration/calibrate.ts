import type { Question } from '../decision/question.ts'
import type { Scored } from '../decision/usage.ts'
import { present } from '../present.ts'
import type { Profile } from '../profiles/profile.ts'
import { type Asking, bySignature } from './by-signature.ts'
import { type Fit, fitQuestion, measureRaw } from './fit.ts'
import { MIN_LABELS } from './limits.ts'
import { type CalibrationRequest, type Labelled, labelledExamples } from './request.ts'
import { labelledRow, type Row } from './row.ts'
import type { Metrics } from './wire.ts'

export type QuestionReport = {
  signature: string
  type: Question['type']
  questionIds: readonly string[]
  outcome: { status: 'fitted'; fit: Fit } | { status: 'too_few_examples'; before: Metrics }
}

/** Fits every question that has enough labels, on the logits of its examples. Pure, and independent of order. */
export const calibrate = (
  { examples, targetError }: Pick<CalibrationRequest, 'examples' | 'targetError'>,
  scored: readonly Scored[],
): QuestionReport[] => {
  const labelled = labelledExamples(examples)
  const rowOf = ({ label }: Labelled, { group, example, place }: Asking): Row =>
    labelledRow(
      group,
      label.name,
      present(scored[example]?.questions[place], 'a scored question').logits,
      label.index,
    )
  return [...bySignature(examples, rowOf)].map(([signature, { type, ids, rows }]) => ({
    signature,
    type,
    questionIds: [...ids.keys()],
    outcome:
      (labelled.get(signature) ?? 0) < MIN_LABELS
        ? { status: 'too_few_examples', before: measureRaw(rows) }
        : { status: 'fitted', fit: fitQuestion(rows, targetError) },
  }))
}

export const profileOf = (snapshot: string, reports: readonly QuestionReport[]): Profile => ({
  snapshot,
  rules: new Map(
    reports.flatMap(({ signature, outcome }) =>
      outcome.status === 'fitted' ? [[signature, outcome.fit.rule]] : [],
    ),
  ),
})
