import { createHash } from 'node:crypto'
import type { Question } from '../decision/question.ts'
import type { Scored } from '../decision/usage.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { compact } from '../json/writer.ts'
import { present } from '../present.ts'
import type { Profile } from '../profiles/profile.ts'
import { type Fit, fitQuestion, measureRaw } from './fit.ts'
import { type CalibrationRequest, type Example, labelledExamples, MIN_LABELS } from './request.ts'
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
  return [...bySignature(examples, scored)].map(([signature, { type, ids, rows }]) => ({
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

type Gathered = { type: Question['type']; ids: KeyedByCaller; rows: Row[] }

const bySignature = (examples: readonly Example[], scored: readonly Scored[]): Map<string, Gathered> => {
  const gathered = new Map<string, Gathered>()
  for (const [index, { state, questions }] of examples.entries()) {
    const group = groupOf(state)
    for (const [place, [id, { asked, label }]] of [...questions].entries()) {
      const { question, signature } = asked
      const known = gathered.get(signature) ?? { type: question.type, ids: new KeyedByCaller(), rows: [] }
      gathered.set(signature, known)
      known.ids.set(id, null)
      const { logits } = present(scored[index]?.questions[place], 'a scored question')
      known.rows.push(labelledRow(group, label.name, logits, label.index))
    }
  }
  return gathered
}

/** Equal for equal states, whatever their size. */
const groupOf = (state: Example['state']): string =>
  createHash('sha256')
    .update(typeof state === 'string' ? `text ${state}` : `json ${compact(state)}`)
    .digest('base64')
