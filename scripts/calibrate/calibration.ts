// The answer of POST /v1/calibrations, as far as it is shown.

export type Metrics = {
  accuracy: number
  ece: number
  brier: number
  nll: number
  mean_confidence: number
  coverage: number
  cutoff: number | null
  n: number
}
export type MetricsAfter = Metrics & {
  temperature: number
  coverage_at_target_error: number
  error_when_covered: number | null
}
export type Bin = { n: number; confidence: number; accuracy: number }
export type SelectivePoint = { confidence: number; coverage: number; error: number }
export type Curves = { reliability: { before: Bin[]; after: Bin[] }; selective: SelectivePoint[] }

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
