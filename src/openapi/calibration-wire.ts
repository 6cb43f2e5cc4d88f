// A calibration and its report, as the wire has them.
import * as v from 'valibot'
import { DEFAULT_TARGET_ERROR, MAX_EXAMPLES, MIN_EXAMPLES } from '../calibration/request.ts'
import { Usage } from '../decision/decision.ts'
import { ChoiceQuestion, MAX_LEVELS, NoulQuestion, ScoreQuestion } from '../decision/question.ts'
import { MAX_QUESTIONS } from '../decision/questions.ts'
import { DEFAULT_MODEL, DecisionBody } from '../decision/request.ts'

const label = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_LEVELS - 1))

export const LabeledChoice = v.strictObject({ ...ChoiceQuestion.entries, label: v.string() })
export const LabeledNoul = v.strictObject({ ...NoulQuestion.entries, label: v.boolean() })
export const LabeledScore = v.strictObject({ ...ScoreQuestion.entries, label })
export const LabeledQuestion = v.variant('type', [LabeledChoice, LabeledNoul, LabeledScore])

export const CalExample = v.object({
  state: DecisionBody.entries.state,
  questions: v.pipe(v.map(v.string(), LabeledQuestion), v.minSize(1), v.maxSize(MAX_QUESTIONS)),
})

export const CalibrationRequest = v.object({
  examples: v.pipe(v.array(CalExample), v.minLength(MIN_EXAMPLES), v.maxLength(MAX_EXAMPLES)),
  model: v.optional(v.string(), DEFAULT_MODEL),
  target_error: v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(0.5)), DEFAULT_TARGET_ERROR),
  curves: v.nullish(v.boolean(), false),
})

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const figure = v.pipe(v.number(), v.minValue(0))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Metrics = v.object({
  accuracy: share,
  ece: share,
  brier: figure,
  nll: figure,
  mean_confidence: share,
  coverage: share,
  cutoff: v.nullable(share),
  n: count,
})

export const MetricsAfter = v.object({
  ...Metrics.entries,
  temperature: figure,
  coverage_at_target_error: share,
  error_when_covered: v.nullable(share),
})

const Bin = v.object({ n: count, confidence: share, accuracy: share })

export const CalibrationQuestionReport = v.object({
  signature: v.pipe(v.string(), v.regex(/^[0-9a-f]+$/)),
  type: v.picklist(['choice', 'noul', 'score']),
  question_ids: v.array(v.string()),
  status: v.picklist(['fitted', 'too_few_examples']),
  before: Metrics,
  after: v.nullable(MetricsAfter),
  curves: v.optional(
    v.object({
      reliability: v.object({ before: v.array(Bin), after: v.array(Bin) }),
      selective: v.array(v.object({ confidence: share, coverage: share, error: share })),
    }),
  ),
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
