// A calibration report as the page shows it.
import { heldOutCounts } from '../../../src/calibration/held-out.ts'
import { isObject, type JsonObject, numberOf } from '../../../src/json/json.ts'
import { arrayIn, numberIn, objectIn, objectsIn, textIn } from '../service/fields.ts'

type Metrics = {
  accuracy: number
  ece: number
  nll: number
  n: number
}

export type MetricsAfter = Metrics & {
  coverage: number
  cutoff: number | null
  temperature: number
  outOfFold: { answered: number; wrong: number }
}

/** Mean confidence and accuracy of a group of answers; the groups are about equally large. */
export type Bin = { confidence: number; accuracy: number }

export type Curves = {
  /** The accuracy of always giving the commonest label. */
  commonestLabel: number
  before: readonly Bin[]
  after: readonly Bin[]
  /** The coverage of each possible cutoff, and the error among the answers it lets through. */
  selective: readonly { coverage: number; error: number }[]
}

export type QuestionReport = {
  signature: string
  type: string
  ids: readonly string[]
  status: string
  before: Metrics | null
  after: MetricsAfter | null
  curves: Curves
}

export type Report = {
  model: string
  targetError: number
  profile: string
  examples: number
  questions: readonly QuestionReport[]
  note: string
  warnings: readonly string[]
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
      curves: curvesOf(objectIn(question, 'curves')),
    }
  }),
  note: textIn(body, 'note'),
  warnings: arrayIn(body, 'warnings').filter(warning => typeof warning === 'string'),
  costUsd: numberIn(objectIn(body, 'usage'), 'cost_usd'),
})

const metricsOf = (from: JsonObject): Metrics => ({
  accuracy: numberIn(from, 'accuracy'),
  ece: numberIn(from, 'ece'),
  nll: numberIn(from, 'nll'),
  n: numberIn(from, 'n'),
})

const afterOf = (from: JsonObject): MetricsAfter => ({
  ...metricsOf(from),
  coverage: numberIn(from, 'coverage'),
  cutoff: numberOf(from.get('cutoff')),
  temperature: numberIn(from, 'temperature'),
  outOfFold: heldOutCounts({
    n: numberIn(from, 'n'),
    coverage_at_target_error: numberIn(from, 'coverage_at_target_error'),
    error_when_covered: numberOf(from.get('error_when_covered')),
  }),
})

const curvesOf = (from: JsonObject): Curves => {
  const reliability = objectIn(from, 'reliability')
  return {
    commonestLabel: numberIn(from, 'commonest_label'),
    before: objectsIn(reliability, 'before').map(binOf),
    after: objectsIn(reliability, 'after').map(binOf),
    selective: objectsIn(from, 'selective').map(point => ({
      coverage: numberIn(point, 'coverage'),
      error: numberIn(point, 'error'),
    })),
  }
}

const binOf = (from: JsonObject): Bin => ({
  confidence: numberIn(from, 'confidence'),
  accuracy: numberIn(from, 'accuracy'),
})
