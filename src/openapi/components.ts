import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types'
import { AccountDay, AccountUsage, ActivityEntry, ActivityList } from '../activity/wire.ts'
import * as calibration from '../calibration/wire.ts'
import * as decisions from '../decision/decision.ts'
import { ChoiceQuestion, Description, NoulQuestion, Question, ScoreQuestion } from '../decision/question.ts'
import { DecisionBody } from '../decision/request.ts'
import { OpenAIDecisionBody, OpenAIQuestion } from '../dialects/openai/request.ts'
import * as openai from '../dialects/openai/wire.ts'
import { SystemOneBody, SystemOneChoiceQuestion, SystemOneQuestion } from '../dialects/systemone/request.ts'
import * as systemone from '../dialects/systemone/wire.ts'
import { Account, ApiKey, Credit } from '../money/wire.ts'
import { describeFields } from './descriptions.ts'
import { componentSchemas } from './json-schema.ts'
import { ErrorEnvelope, Health, ModelEntry, ModelList } from './wire.ts'

export const components = (): OpenAPIV3_1.ComponentsObject => ({
  schemas: describeFields(
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
      ...calibration,
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
      Error: ErrorEnvelope,
      SystemOneRequest: SystemOneBody,
      SystemOneQuestion,
      SystemOneChoiceQuestion,
      ...systemone,
      OpenAIDecisionRequest: OpenAIDecisionBody,
      OpenAIQuestion,
      ...openai,
    }),
  ),
  headers,
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the form `sk_decider_…`.' },
  },
})

const header = (
  description: string,
  schema: OpenAPIV3.SchemaObject,
  example?: string | number,
): OpenAPIV3.HeaderObject => ({
  description,
  required: true,
  schema,
  ...(example === undefined ? {} : { example }),
})
const count: OpenAPIV3.SchemaObject = { type: 'integer', minimum: 0 }
const constant = (value: string): OpenAPIV3.SchemaObject => ({ type: 'string', enum: [value] })

const headers: Record<string, OpenAPIV3.HeaderObject> = {
  'Decider-Request-Id': header('Names this request; quote it when you ask for help.', {
    type: 'string',
    pattern: '^req_[0-9a-f]{24}$',
  }),
  'Decider-Region': header('Where the request was served.', { type: 'string' }, 'us'),
  'Decider-Data-Retention': header('Nothing of the request is kept.', constant('none')),
  'Cache-Control': header('Answers are not to be stored.', constant('no-store')),
  'Decider-Model-Version': header('The snapshot that scored the request.', { type: 'string' }),
  'Retry-After': header('Seconds to wait before the same request may succeed.', {
    type: 'integer',
    minimum: 1,
  }),
  'WWW-Authenticate': header('How a key is to be sent.', constant('Bearer')),
  'x-ratelimit-limit-requests': header('Requests a second for this key.', count, 200),
  'x-ratelimit-remaining-requests': header('Requests left in the burst.', count, 399),
  'x-ratelimit-reset-requests': header('Seconds until the burst is full again.', count, 1),
  'x-ratelimit-limit-tokens': header('Input tokens a minute for this key.', count, 20_000_000),
  'x-ratelimit-remaining-tokens': header('Input tokens left in this minute.', count, 19_999_924),
  'x-ratelimit-reset-tokens': header('Seconds until the tokens are full again.', count, 60),
}
