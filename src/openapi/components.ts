import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types'
import { AccountDay, AccountUsage, ActivityEntry, ActivityList } from '../activity/wire.ts'
import * as calibrations from '../calibration/wire.ts'
import * as decisions from '../decision/decision.ts'
import { ChoiceQuestion, Description, NoulQuestion, Question, ScoreQuestion } from '../decision/question.ts'
import { DecisionBody } from '../decision/request.ts'
import { OPENAI_PARTS, OpenAIDecisionBody } from '../dialects/openai/request.ts'
import * as openai from '../dialects/openai/wire.ts'
import { SystemOneBody, SystemOneChoiceQuestion, SystemOneQuestion } from '../dialects/systemone/request.ts'
import * as systemone from '../dialects/systemone/wire.ts'
import { Account, ApiKey, Credit } from '../money/wire.ts'
import { labelledExample } from './calibration-example.ts'
import { describeFields } from './descriptions.ts'
import { componentSchemas } from './json-schema.ts'
import { ErrorEnvelope, Health, ModelEntry, ModelList } from './wire.ts'

const { CalibrationBody, ...calibrationParts } = calibrations

export const components = (): OpenAPIV3_1.ComponentsObject => {
  const schemas = describedSchemas()
  return {
    // A whole request would need 200 of them.
    schemas: { ...schemas, CalExample: { ...schemas.CalExample, examples: [labelledExample] } },
    headers,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the form `sk_decider_…`.' },
    },
  }
}

const describedSchemas = () =>
  describeFields(
    componentSchemas({
      DecisionRequest: DecisionBody,
      Question,
      ChoiceQuestion,
      NoulQuestion,
      ScoreQuestion,
      Description,
      DecisionResponse: decisions.DecisionAnswer,
      Answer: decisions.Answer,
      ChoiceAnswer: decisions.ChoiceAnswer,
      NoulAnswer: decisions.NoulAnswer,
      ScoreAnswer: decisions.ScoreAnswer,
      AnswerMetadata: decisions.AnswerMetadata,
      Usage: decisions.Usage,
      CalibrationRequest: CalibrationBody,
      ...calibrationParts,
      Account,
      AccountDay,
      AccountUsage,
      ActivityEntry,
      ActivityList,
      ApiKey,
      Credit,
      ModelList,
      ModelEntry,
      Health,
      ErrorEnvelope,
      SystemOneRequest: SystemOneBody,
      SystemOneQuestion,
      SystemOneChoiceQuestion,
      ...systemone,
      OpenAIDecisionRequest: OpenAIDecisionBody,
      ...OPENAI_PARTS,
      ...openai,
    }),
  )

const header = (
  description: string,
  schema: OpenAPIV3.SchemaObject,
  example?: string | number,
): OpenAPIV3.HeaderObject => ({
  description,
  required: true,
  schema,
  example,
})
const count: OpenAPIV3.SchemaObject = { type: 'integer', minimum: 0 }
const constant = (value: string): OpenAPIV3.SchemaObject => ({ type: 'string', enum: [value] })

const headers: Record<string, OpenAPIV3.HeaderObject> = {
  'Decider-Request-Id': header('Identifies this request. Quote it when you ask for help.', {
    type: 'string',
    pattern: '^req_[0-9a-f]{24}$',
  }),
  'Decider-Region': header('Always `us`, wherever the service is deployed.', { type: 'string' }, 'us'),
  'Decider-Data-Retention': header('No request content is kept.', constant('none')),
  'Cache-Control': header('Responses must not be stored.', constant('no-store')),
  'Decider-Model-Version': header('The snapshot that scored the request.', { type: 'string' }),
  'Retry-After': header('Seconds to wait before the same request may succeed.', {
    type: 'integer',
    minimum: 1,
  }),
  'WWW-Authenticate': header('How to send a key.', constant('Bearer')),
  'x-should-retry': header(
    'The refusal is for good, though its status may mean otherwise.',
    constant('false'),
  ),
  'x-ratelimit-limit-requests': header('The limit of requests per second for this key.', count, 200),
  'x-ratelimit-remaining-requests': header('Requests left in the burst bucket.', count, 399),
  'x-ratelimit-reset-requests': header('Seconds until the burst bucket is full again.', count, 1),
  'x-ratelimit-limit-tokens': header('The limit of input tokens per minute for this key.', count, 20_000_000),
  'x-ratelimit-remaining-tokens': header('Input tokens left in the 60-second bucket.', count, 19_999_924),
  'x-ratelimit-reset-tokens': header('Seconds until the token bucket is full again.', count, 60),
}
