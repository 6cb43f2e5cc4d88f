// What may be refused, told in the words of each API.
import type { OpenAPIV3_1 } from 'openapi-types'
import type { ProblemCode } from '../problem.ts'
import { referenceTo } from './json-schema.ts'

/** When each code is answered. The statuses are the table's own. */
const WHEN: Record<ProblemCode, string> = {
  invalid_calibration_profile: 'the profile is malformed, altered or signed with a retired key',
  missing_api_key: 'no bearer key',
  invalid_api_key: 'a key of another form, with a wrong checksum, expired or revoked',
  insufficient_credits: 'the prepaid balance is used up',
  model_not_found: 'no model of this name',
  not_found: 'no such route',
  method_not_allowed: 'not a method of this route',
  profile_model_mismatch: 'the profile was fitted on another snapshot',
  request_too_large: 'a body over 4,000,000 bytes',
  unsupported_encoding: 'a Content-Encoding that this route does not read',
  invalid_schema:
    'a field is missing, unknown or of the wrong form; `param` names it, or `body`: no JSON, nested deeper than 128 levels, or more than 300,000 keys and values in it (600,000 in a calibration), an array or object counted as four',
  state_too_long: 'a state over 65,536 tokens; nothing is truncated or billed',
  too_many_questions: 'more than 128 questions',
  too_many_options: 'more options than one question may have',
  too_few_examples: 'fewer than 200 examples',
  too_many_examples: 'more than 5,000 examples',
  too_few_examples_per_question: 'no question with at least 50 labeled examples',
  rate_limited: 'too many requests per second; wait for `Retry-After`',
  token_rate_limited: 'too many input tokens per minute; wait for `Retry-After`',
  internal_error: 'a fault of the service; nothing is billed',
  engine_timeout:
    'no answer within the deadline (10 seconds, of `/v1/systemone` 9); wait for `Retry-After`, nothing is billed',
}

export type Refusals = {
  /** The status under which this API answers a code. */
  status: (code: ProblemCode) => number
  /** The component schema of the body under a status. */
  schema: (status: number) => string
}

type Responses = Record<string, OpenAPIV3_1.ResponseObject>

/** One response per status, its description listing the codes. */
export const refusalsOf = (codes: readonly ProblemCode[], { status, schema }: Refusals): Responses => {
  const byStatus = Map.groupBy(codes, status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map(code => `\`${code}\`: ${WHEN[code]}`).join('\n\n'),
        headers: headersOf(status),
        content: { 'application/json': { schema: referenceTo(schema(status)) } },
      },
    ]),
  )
}

const EVERYWHERE = ['Decider-Request-Id', 'Decider-Region', 'Decider-Data-Retention', 'Cache-Control']
const RATES = ['limit', 'remaining', 'reset'].flatMap(figure => [
  `x-ratelimit-${figure}-requests`,
  `x-ratelimit-${figure}-tokens`,
])

/** The headers of a response, as references to the components of their names. */
export const headersOf = (
  status: number,
  ...more: readonly string[]
): Record<string, OpenAPIV3_1.ReferenceObject> => {
  const retry = status === 429 || status === 503 ? ['Retry-After'] : []
  const challenge = status === 401 ? ['WWW-Authenticate'] : []
  const names = [...EVERYWHERE, ...RATES, ...retry, ...challenge, ...more]
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
