// What may be refused, in the form of each API.
import type { OpenAPIV3_1 } from 'openapi-types'
import { MAX_QUESTIONS } from '../../scorer/limits.ts'
import { MAX_EXAMPLES, MIN_EXAMPLES, MIN_LABELS } from '../calibration/limits.ts'
import { native } from '../dialects/native.ts'
import { systemone } from '../dialects/systemone/systemone.ts'
import { MAX_BODY_BYTES } from '../http/body-limit.ts'
import { ARRIVAL_MS } from '../http/bytes.ts'
import { MAX_CONTAINERS, MAX_DECISION_NODES, MAX_DEPTH, MAX_MEMBERS, MAX_NODES } from '../json/reader.ts'
import type { Problem, ProblemCode } from '../problem.ts'
import { grouped } from './grouped.ts'
import { contentOf } from './json-schema.ts'

/** When each code is returned. The statuses come from the table of problems. */
const WHEN: Record<ProblemCode, string> = {
  invalid_calibration_profile:
    'the profile is malformed, altered or signed with a retired key; the message says which',
  missing_api_key: 'no bearer key was sent',
  invalid_api_key: 'the key is malformed, has a wrong checksum, is expired or is revoked',
  insufficient_credits: 'the prepaid balance is used up',
  model_not_found: 'there is no model of this name',
  not_found: 'there is no such route',
  method_not_allowed: 'the route does not support this method',
  profile_model_mismatch: 'the profile was fitted on another snapshot',
  request_too_large: `the body is over ${grouped(MAX_BODY_BYTES)} bytes`,
  unsupported_encoding: 'this route does not read this Content-Encoding',
  invalid_schema: `a field is missing, unknown or malformed, and the refusal names it; or it names the body, which is not JSON, is nested deeper than ${MAX_DEPTH} levels, or holds more than ${grouped(MAX_DECISION_NODES)} keys and values, where an array or object counts as four (in a calibration ${grouped(MAX_NODES)} of them and ${grouped(MAX_CONTAINERS)} arrays and objects), or more than ${grouped(MAX_MEMBERS)} members in one object; or that it took longer than ${ARRIVAL_MS / 1_000} seconds to arrive`,
  state_too_long: 'the state is over 65,536 tokens; nothing is truncated or billed',
  too_many_questions: `more than ${MAX_QUESTIONS} questions`,
  too_many_options: 'more options than one question may have',
  too_few_examples: `fewer than ${MIN_EXAMPLES} examples`,
  too_many_examples: `more than ${grouped(MAX_EXAMPLES)} examples`,
  too_few_examples_per_question: `no question has at least ${MIN_LABELS} labelled examples`,
  rate_limited: 'too many requests per second; wait for `Retry-After`',
  token_rate_limited: 'too many input tokens per minute; wait for `Retry-After`',
  internal_error: 'a fault in the service; nothing is billed',
  engine_timeout: `the engine did not answer within the deadline (${native.deadlineMs / 1_000} seconds, or ${systemone.deadlineMs / 1_000} for \`/v1/systemone\`), has too much to do or cannot be reached; wait for \`Retry-After\`; nothing is billed`,
}

export type Refusals = {
  /** The status with which this API returns a code. */
  status: (code: ProblemCode) => number
  /** What this API answers. */
  body: (problem: Problem) => unknown
  /** The component schema of the body under a status. */
  schema: (status: number) => string
}

type Responses = Record<string, OpenAPIV3_1.ResponseObject>

/** One response per status, its description listing the codes. At most one of `shown` becomes its example. */
export const refusalsOf = (
  codes: readonly ProblemCode[],
  { status, body, schema }: Refusals,
  shown: readonly Problem[] = [],
): Responses => {
  const byStatus = Map.groupBy(codes, status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const example = shown.find(({ code }) => codes.includes(code))
      return [
        String(status),
        {
          description: codes.map(code => `\`${code}\`: ${WHEN[code]}`).join('\n\n'),
          headers: headersOf(status),
          content: contentOf(schema(status), example && body(example)),
        },
      ]
    }),
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
  const permanent = status === 409 ? ['x-should-retry'] : []
  const names = [...EVERYWHERE, ...RATES, ...retry, ...challenge, ...permanent, ...more]
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
