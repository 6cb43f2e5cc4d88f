// A calibration's report as the page draws it.
import { isObject, type JsonObject } from '../../../src/json/json.ts'
import { type Tokens, tokensOf } from '../service/decision.ts'
import { arrayIn, numberIn, numberOf, objectIn, objectsIn, textIn } from '../service/fields.ts'

export type Metrics = {
  accuracy: number
  ece: number
  brier: number
  nll: number
  meanConfidence: number
  coverage: number
  cutoff: number | null
  n: number
  /** Mean confidence against accuracy, bin by bin. */
  reliability: readonly { confidence: number; accuracy: number; n: number }[]
}

export type MetricsAfter = Metrics & {
  temperature: number
  coverageAtTarget: number
  errorWhenCovered: number | null
  /** What each possible cutoff would cover, and how wrong that would be. */
  curve: readonly { cutoff: number; coverage: number; error: number }[]
}

export type QuestionReport = {
  signature: string
  type: string
  ids: readonly string[]
  status: string
  before: Metrics | null
  after: MetricsAfter | null
}

export type Report = {
  model: string
  targetError: number
  profile: string
  examples: number
  questions: readonly QuestionReport[]
  note: string
  tokens: Tokens
  costUsd: number
}

export const reportOf = (body: JsonObject): Report => ({
  model: textIn(body, 'model'),
  targetError: numberIn(body, 'target_error'),
  profile: textIn(body, 'profile'),
  examples: numberIn(body, 'n_examples'),
  questions: objectsIn(body, 'questions').map(question => {
    const before = question.get('before')
    const after = question.get('after')
    return {
      signature: textIn(question, 'signature'),
      type: textIn(question, 'type'),
      ids: arrayIn(question, 'question_ids').filter(id => typeof id === 'string'),
      status: textIn(question, 'status'),
      before: isObject(before) ? metricsOf(before) : null,
      after: isObject(after) ? afterOf(after) : null,
    }
  }),
  note: textIn(body, 'note'),
  tokens: tokensOf(objectIn(body, 'usage')),
  costUsd: numberIn(objectIn(body, 'usage'), 'cost_usd'),
})

const metricsOf = (from: JsonObject): Metrics => ({
  accuracy: numberIn(from, 'accuracy'),
  ece: numberIn(from, 'ece'),
  brier: numberIn(from, 'brier'),
  nll: numberIn(from, 'nll'),
  meanConfidence: numberIn(from, 'mean_confidence'),
  coverage: numberIn(from, 'coverage'),
  cutoff: numberOf(from.get('cutoff')),
  n: numberIn(from, 'n'),
  reliability: objectsIn(from, 'reliability').map(bin => ({
    confidence: numberIn(bin, 'confidence'),
    accuracy: numberIn(bin, 'accuracy'),
    n: numberIn(bin, 'n'),
  })),
})

const afterOf = (from: JsonObject): MetricsAfter => ({
  ...metricsOf(from),
  temperature: numberIn(from, 'temperature'),
  coverageAtTarget: numberIn(from, 'coverage_at_target_error'),
  errorWhenCovered: numberOf(from.get('error_when_covered')),
  curve: objectsIn(from, 'curve').map(point => ({
    cutoff: numberIn(point, 'cutoff'),
    coverage: numberIn(point, 'coverage'),
    error: numberIn(point, 'error'),
  })),
})
