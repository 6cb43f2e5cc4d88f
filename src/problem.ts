// The whole public vocabulary of failure: code, status, type. Codes are never renamed.

export const PROBLEMS = {
  invalid_calibration_profile: { status: 400, type: 'invalid_request_error' },
  missing_api_key: { status: 401, type: 'authentication_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  insufficient_credits: { status: 402, type: 'billing_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  profile_model_mismatch: { status: 409, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_encoding: { status: 415, type: 'invalid_request_error' },
  invalid_schema: { status: 422, type: 'invalid_request_error' },
  state_too_long: { status: 422, type: 'invalid_request_error' },
  too_many_questions: { status: 422, type: 'invalid_request_error' },
  too_many_options: { status: 422, type: 'invalid_request_error' },
  too_few_examples: { status: 422, type: 'invalid_request_error' },
  too_many_examples: { status: 422, type: 'invalid_request_error' },
  too_few_examples_per_question: { status: 422, type: 'invalid_request_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  token_rate_limited: { status: 429, type: 'rate_limit_error' },
  internal_error: { status: 500, type: 'api_error' },
  engine_timeout: { status: 503, type: 'api_error' },
} as const

export type ProblemCode = keyof typeof PROBLEMS

export const CODES = Object.keys(PROBLEMS) as ProblemCode[]
export const TYPES = [...new Set(Object.values(PROBLEMS).map(({ type }) => type))]

/** Thrown by anything that refuses a request; caught in one place, where the dialect writes it. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly param: string | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(code: ProblemCode, message: string, more: { param?: string; retryAfterSeconds?: number } = {}) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.param = more.param
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}
