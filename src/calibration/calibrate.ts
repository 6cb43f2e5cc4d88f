import { optionNames } from '../decision/option-names.ts'
import type { Question } from '../decision/question.ts'
import type { Scored } from '../decision/usage.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { present } from '../present.ts'
import type { Profile } from '../profiles/profile.ts'
import { type Asking, bySignature } from './by-signature.ts'
import { type Fit, fitQuestion, measureRaw } from './fit.ts'
import { MIN_LABELS } from './limits.ts'
import { type Asked, type CalibrationRequest, type Labelled, labelledExamples } from './request.ts'
import { labelledRow, type Row } from './row.ts'
import type { Metrics } from './wire.ts'

export type QuestionReport = {
  signature: string
  type: Question['type']
  questionIds: readonly string[]
  outcome:
    | { status: 'fitted'; fit: Fit; offsets: ReadonlyMap<string, number> | undefined }
    | { status: 'too_few_examples'; before: Metrics }
}

/**
 * Fits every question that has enough labels, on the logits of its examples. Pure, and independent of order. One by
 * one, because it can take seconds: whoever asks may let others have the processor in between.
 */
export function* calibrate(
  { examples, targetError, offsets }: Pick<CalibrationRequest, 'examples' | 'targetError' | 'offsets'>,
  scored: readonly Scored[],
): Generator<QuestionReport> {
  const labelled = labelledExamples(examples)
  const rowOf = ({ asked, label }: Labelled, { group, example, place }: Asking): Row =>
    labelledRow(
      group,
      label,
      present(scored[example]?.questions[place], 'a scored question').logits,
      asked.places,
    )
  for (const [signature, { firstAsked, ids, rows }] of bySignature(examples, rowOf)) {
    const outcome: QuestionReport['outcome'] =
      (labelled.get(signature) ?? 0) < MIN_LABELS
        ? { status: 'too_few_examples', before: measureRaw(rows) }
        : fitted(fitQuestion(rows, targetError, offsets), firstAsked)
    yield { signature, type: firstAsked.question.type, questionIds: [...ids.keys()], outcome }
  }
}

const fitted = (fit: Fit, asked: Asked): QuestionReport['outcome'] => ({
  status: 'fitted',
  fit,
  offsets: fit.rule.offsets && byName(fit.rule.offsets, asked),
})

/** By the names that the maps of an answer have, and in their order. */
const byName = (offsets: readonly number[], { question, places }: Asked): ReadonlyMap<string, number> => {
  const named = optionNames(question).map((name, option): [string, number] => [
    name,
    present(offsets[present(places[option], 'a place')], 'an offset'),
  ])
  // The scorer's first logit of a noul is that of yes, but its maps begin with false.
  return new KeyedByCaller(question.type === 'noul' ? named.toReversed() : named)
}

export const profileOf = (snapshot: string, reports: readonly QuestionReport[]): Profile => ({
  snapshot,
  rules: new Map(
    reports.flatMap(({ signature, outcome }) =>
      outcome.status === 'fitted' ? [[signature, outcome.fit.rule]] : [],
    ),
  ),
})
