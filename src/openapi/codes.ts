// The codes with which each kind of route may refuse.
import { CODES, PROBLEMS, type ProblemCode } from '../problem.ts'

/** An account can be read at zero balance. */
const LOOKING: ProblemCode[] = ['missing_api_key', 'invalid_api_key', 'rate_limited', 'internal_error']
export const READING: ProblemCode[] = [...LOOKING, 'invalid_schema']

export const WITH_KEY: ProblemCode[] = [...LOOKING, 'insufficient_credits']
export const DECIDING: ProblemCode[] = [
  ...WITH_KEY,
  'model_not_found',
  'request_too_large',
  'unsupported_encoding',
  'invalid_schema',
  'token_rate_limited',
  'engine_timeout',
  'state_too_long',
  'too_many_questions',
  'too_many_options',
]
export const CALIBRATED: ProblemCode[] = [
  ...DECIDING,
  'invalid_calibration_profile',
  'profile_model_mismatch',
]
export const CALIBRATING: ProblemCode[] = [
  ...DECIDING,
  'too_few_examples',
  'too_many_examples',
  'too_few_examples_per_question',
]

const OF_COUNTED_ROUTES: ReadonlySet<ProblemCode> = new Set([...CALIBRATED, ...CALIBRATING])

/** Those that an account finds in its activity: a request whose key is refused is nobody's. */
export const IN_ACTIVITY = CODES.filter(
  code => OF_COUNTED_ROUTES.has(code) && PROBLEMS[code].type !== 'authentication_error',
)
