import type { Usage } from '../decision/decision.ts'
import { type JsonObject, objectOf } from '../json/json.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import type { QuestionReport } from './calibrate.ts'
import type { CalibrationRequest } from './request.ts'
import { shortName } from './short-name.ts'
import type { Curves } from './wire.ts'

type Calibrated = {
  request: CalibrationRequest
  snapshot: string
  profile: string
  reports: readonly QuestionReport[]
  usage: Usage
}

export const NOTE =
  'The quality figures after calibration are out of fold: with five folds grouped by state, no example is judged by ' +
  'a fit that saw it. Temperature, offsets, cutoff and coverage are those of the profile. For each question taken by itself, ' +
  'the cutoff keeps the error rate of the answers that do not abstain within target_error in at least nine of ten ' +
  'calibrations. A null cutoff means that these examples cannot certify the target, so every answer abstains. ' +
  'Examples were held in memory for this request only and are gone.'

/** The answer to a calibration, in the order the specification lists it. */
export const writeCalibration = ({ request, snapshot, profile, reports, usage }: Calibrated): JsonObject => {
  const warnings = [...request.warnings, ...reports.flatMap(doubtsOf), ...wordingsOf(reports)]
  return objectOf({
    object: 'calibration',
    model: snapshot,
    target_error: request.targetError,
    profile,
    n_examples: request.examples.length,
    questions: reports.map(report => writeReport(report, request.curves)),
    note: NOTE,
    usage: objectOf(usage),
    warnings: warnings.length > 0 ? warnings : undefined,
  })
}

const doubtsOf = ({ questionIds, outcome }: QuestionReport): string[] =>
  outcome.status === 'fitted' ? outcome.fit.doubts.map(doubt => `${shortName(questionIds)}: ${doubt}`) : []

/** A question whose words drift from example to example is several questions, each with fewer labels. */
const wordingsOf = (reports: readonly QuestionReport[]): string[] => {
  const wordings = new KeyedByCaller<number>()
  for (const { questionIds } of reports)
    for (const id of questionIds) wordings.set(id, (wordings.get(id) ?? 0) + 1)
  const drifting = [...wordings].filter(([, count]) => count > 1).map(([id]) => id)
  return drifting.length > 0
    ? [`${shortName(drifting)}: asked in more than one wording, each of which is fitted by itself`]
    : []
}

const writeReport = (
  { signature, type, questionIds, outcome }: QuestionReport,
  withCurves: boolean,
): JsonObject => {
  const named = { signature, type, question_ids: questionIds, status: outcome.status }
  if (outcome.status === 'too_few_examples') {
    return objectOf({ ...named, before: objectOf(outcome.before), after: null })
  }
  const { offsets, fit } = outcome
  const { before, after, curves } = fit
  return objectOf({
    ...named,
    before: objectOf(before),
    after: objectOf({ ...after, offsets }),
    curves: withCurves ? writeCurves(curves) : undefined,
  })
}

const writeCurves = ({ commonest_label, reliability, selective }: Curves): JsonObject =>
  objectOf({
    commonest_label,
    reliability: objectOf({
      before: reliability.before.map(objectOf),
      after: reliability.after.map(objectOf),
    }),
    selective: selective.map(objectOf),
  })
