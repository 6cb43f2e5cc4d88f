// The wire format of a calibration and its report.
import * as v from 'valibot'
import { MAX_LEVELS, MAX_QUESTIONS } from '../../scorer/limits.ts'
import { Usage } from '../decision/decision.ts'
import { ChoiceQuestion, NoulQuestion, ScoreQuestion } from '../decision/question.ts'
import { DecisionBody } from '../decision/request.ts'
import { amount, count, share } from '../figures.ts'
import { MAX_EXAMPLES, MIN_EXAMPLES } from './limits.ts'
import { Settings } from './settings.ts'

const label = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_LEVELS - 1))

export const LabeledChoice = v.strictObject({ ...ChoiceQuestion.entries, label: v.string() })
export const LabeledNoul = v.strictObject({ ...NoulQuestion.entries, label: v.boolean() })
export const LabeledScore = v.strictObject({ ...ScoreQuestion.entries, label })
export const LabeledQuestion = v.variant('type', [LabeledChoice, LabeledNoul, LabeledScore])

export const CalExample = v.object({
  state: DecisionBody.entries.state,
  questions: v.pipe(v.map(v.string(), LabeledQuestion), v.minSize(1), v.maxSize(MAX_QUESTIONS)),
})

export const CalibrationBody = v.object({
  examples: v.pipe(v.array(CalExample), v.minLength(MIN_EXAMPLES), v.maxLength(MAX_EXAMPLES)),
  ...Settings.entries,
})

export const Metrics = v.object({
  accuracy: share,
  ece: share,
  brier: amount,
  nll: amount,
  mean_confidence: share,
  /** Share of the rows that would be answered rather than abstained from. */
  coverage: share,
  /** Lowest confidence that is answered; null if no profile decides, or no cutoff could be certified. */
  cutoff: v.nullable(share),
  n: count,
})

export const MetricsAfter = v.object({
  ...Metrics.entries,
  temperature: amount,
  offsets: v.optional(v.record(v.string(), v.number())),
  coverage_at_target_error: share,
  error_when_covered: v.nullable(share),
})

const bin = v.object({ n: count, confidence: share, accuracy: share })

/** What a report draws: how confidence compares with accuracy, and what each coverage would cost in errors. */
const curves = v.object({
  /** The accuracy of always giving the commonest label. */
  commonest_label: share,
  reliability: v.object({ before: v.array(bin), after: v.array(bin) }),
  /** Strictest first. Confidences are at the temperature that ships, like the cutoff. Errors are out of fold. */
  selective: v.array(v.object({ confidence: share, coverage: share, error: share })),
})

export const CalibrationQuestionReport = v.object({
  signature: v.pipe(v.string(), v.regex(/^[0-9a-f]+$/)),
  type: v.picklist(['choice', 'noul', 'score']),
  question_ids: v.array(v.string()),
  status: v.picklist(['fitted', 'too_few_examples']),
  before: Metrics,
  after: v.nullable(MetricsAfter),
  curves: v.optional(curves),
})

export const CalibrationResponse = v.object({
  object: v.literal('calibration'),
  model: v.string(),
  target_error: v.number(),
  profile: v.string(),
  n_examples: count,
  questions: v.array(CalibrationQuestionReport),
  note: v.string(),
  usage: Usage,
  warnings: v.optional(v.array(v.string())),
})

export type Metrics = v.InferOutput<typeof Metrics>
export type MetricsAfter = v.InferOutput<typeof MetricsAfter>
export type Bin = v.InferOutput<typeof bin>
export type Curves = v.InferOutput<typeof curves>
export type CalibrationQuestionReport = v.InferOutput<typeof CalibrationQuestionReport>
export type CalibrationResponse = v.InferOutput<typeof CalibrationResponse>
