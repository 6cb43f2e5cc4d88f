// The answer of POST /v1/calibrations, as far as it is shown.
import type { Curves } from '../../src/calibration/curves.ts'
import type { MetricsAfter } from '../../src/calibration/fit.ts'
import type { Metrics } from '../../src/calibration/metrics.ts'

export type QuestionReport = {
  signature: string
  type: string
  question_ids: string[]
  status: string
  before: Metrics
  after: MetricsAfter | null
  curves?: Curves
}

export type Calibration = {
  model: string
  target_error: number
  profile: string
  n_examples: number
  questions: QuestionReport[]
  note: string
  usage: { input_tokens: number; cached_tokens: number; cost_usd: number }
}
