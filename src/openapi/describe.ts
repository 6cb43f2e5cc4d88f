// One description per route, used where the route is declared, so that what is documented is what is served.
import { describeRoute } from 'hono-openapi'
import type { OpenAPIV3_1 } from 'openapi-types'
import { MAX_QUESTIONS } from '../../scorer/limits.ts'
import { invalidKey } from '../access/bearer.ts'
import { ACCOUNT_READS } from '../access/limits.ts'
import { ActivityQuery } from '../activity/query.ts'
import { MAX_EXAMPLES, MIN_EXAMPLES, MIN_LABELS } from '../calibration/limits.ts'
import type { Dialect } from '../decision/dialect.ts'
import { DEFAULT_MODEL } from '../decision/request.ts'
import { native } from '../dialects/native.ts'
import { openai } from '../dialects/openai/openai.ts'
import { MAX_CHOICES } from '../dialects/systemone/request.ts'
import { systemone } from '../dialects/systemone/systemone.ts'
import { compact } from '../json/writer.ts'
import { Problem } from '../problem.ts'
import { calibrationAnswer } from './calibration-example.ts'
import { CALIBRATED, CALIBRATING, DECIDING, READING, WITH_KEY } from './codes.ts'
import { PARAMETERS } from './descriptions.ts'
import {
  exampleAnswer,
  nativeMistake,
  nativeRequest,
  openaiMistake,
  openaiRequest,
  systemOneRequest,
} from './examples.ts'
import { grouped } from './grouped.ts'
import { contentOf, parametersOf } from './json-schema.ts'
import { headersOf, type Refusals, refusalsOf } from './problems.ts'
import { METERED, refusedDecisions, tooFewExamples, unknownModel } from './refusal-examples.ts'

const refusals = (dialect: Dialect, schema: Refusals['schema']): Refusals => ({
  status: code => dialect.refuse(new Problem(code, '')).status,
  body: problem => JSON.parse(compact(dialect.refuse(problem).body)),
  schema,
})
const inEnvelope = refusals(native, () => 'ErrorEnvelope')
const inDetail = refusals(systemone, status =>
  status === 422 ? 'SystemOneValidationError' : 'SystemOneError',
)
const inOpenAIEnvelope = refusals(openai, () => 'OpenAIError')

const answer = (schema: string, example?: unknown, ...headers: string[]): OpenAPIV3_1.ResponseObject => ({
  description: 'OK',
  headers: headersOf(200, ...headers),
  content: contentOf(schema, example),
})

const body = (schema: string, example?: unknown): OpenAPIV3_1.RequestBodyObject => ({
  required: true,
  content: contentOf(schema, example),
})

const modelParameter: OpenAPIV3_1.ParameterObject = {
  name: 'model',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  example: DEFAULT_MODEL,
}

const decisions = (operationId: string, summary: string, description: string) =>
  describeRoute({
    operationId,
    summary,
    tags: ['Decisions'],
    description,
    requestBody: body('DecisionRequest', nativeRequest),
    responses: {
      200: answer('DecisionResponse', exampleAnswer(nativeRequest, native), 'Decider-Model-Version'),
      ...refusalsOf(CALIBRATED, inEnvelope, refusedDecisions(native, nativeMistake)),
    },
  })

const looking = (
  operationId: string,
  summary: string,
  schema: string,
  more: { parameters?: OpenAPIV3_1.ParameterObject[] } = {},
) =>
  describeRoute({
    operationId,
    summary,
    tags: ['Account'],
    description:
      'Works with any key of the account. It costs nothing, needs no balance, and has a rate limit apart from ' +
      `decisions: ${ACCOUNT_READS.requestsPerSecond} per second, in bursts of up to ${ACCOUNT_READS.burst}. ` +
      'The `x-ratelimit-*` headers show the key’s own buckets, which it leaves untouched.',
    ...more,
    responses: { 200: answer(schema), ...refusalsOf(READING, inEnvelope, [invalidKey()]) },
  })

export const describe = {
  decisions: decisions(
    'createDecision',
    'Decide',
    `Evaluates one state against 1 to ${MAX_QUESTIONS} typed questions in one pass. For other SDKs, these aliases are read too: ` +
      '`input` for `state`; `questions` as an array of objects with `id` or `name`; `predicate` and `boolean` for ' +
      '`noul`; `text` for `instructions`; and for `criteria`, `options` as an array of strings, `choices` as an array of ' +
      'objects with `value` and `description`, and `levels` as an array of objects with `label` and `description`. ' +
      'Unknown top-level fields are ignored and listed in `warnings`.',
  ),
  altdecisions: decisions(
    'createAltDecision',
    'Decide (alias of /v1/decisions)',
    'The same as `POST /v1/decisions`, for SDKs that call this path.',
  ),
  systemone: describeRoute({
    operationId: 'createSystemOneDecision',
    summary: 'Decide, in the form of TypeSafe’s System One API',
    tags: ['Compatible APIs'],
    description:
      'For `@typesafe-ai/sdk`, `typesafe-sdk` and other clients written for Jev. Fields that this service adds begin ' +
      'with `x_`. ' +
      `A choice has at most ${MAX_CHOICES} options. Bodies may be compressed with zstd.`,
    requestBody: body('SystemOneRequest', systemOneRequest),
    responses: {
      200: answer('SystemOneResponse', exampleAnswer(systemOneRequest, systemone), 'Decider-Model-Version'),
      ...refusalsOf(CALIBRATED, inDetail, refusedDecisions(systemone, nativeMistake)),
    },
  }),
  openaiDecisions: describeRoute({
    operationId: 'createOpenAIDecision',
    summary: 'Decide, in the form of OpenAI’s Decisions API',
    tags: ['Compatible APIs'],
    description:
      'For OpenAI’s SDK with the base URL `…/openai/v1`. Answers come in question order and are never refusals. ' +
      'Images, files and audio are refused with an error that names them.',
    requestBody: body('OpenAIDecisionRequest', openaiRequest),
    responses: {
      200: answer('OpenAIDecision', exampleAnswer(openaiRequest, openai), 'Decider-Model-Version'),
      ...refusalsOf(DECIDING, inOpenAIEnvelope, refusedDecisions(openai, openaiMistake)),
    },
  }),
  calibrations: describeRoute({
    operationId: 'createCalibration',
    summary: 'Fit a calibration profile',
    tags: ['Calibration'],
    description:
      `Scores ${MIN_EXAMPLES} to ${grouped(MAX_EXAMPLES)} labelled examples and fits a temperature (with \`offsets\`, also an offset for each option) and an abstention cutoff for each question ` +
      `that at least ${MIN_LABELS} examples label. Questions are the same if their type, instructions and criteria are. The ` +
      'examples are discarded when the answer is sent.',
    requestBody: body('CalibrationRequest'),
    responses: {
      200: answer('CalibrationResponse', calibrationAnswer, 'Decider-Model-Version'),
      ...refusalsOf(CALIBRATING, inEnvelope, [...METERED, unknownModel(native), tooFewExamples()]),
    },
  }),
  models: describeRoute({
    operationId: 'listModels',
    summary: 'List models',
    tags: ['Models'],
    description:
      'Lists the snapshots and the aliases that stand for them. A request counts against the limit of requests and costs nothing.',
    responses: {
      200: answer('ModelList'),
      ...refusalsOf([...WITH_KEY, 'engine_timeout'], inEnvelope, METERED),
    },
  }),
  model: describeRoute({
    operationId: 'retrieveModel',
    summary: 'Retrieve a model',
    tags: ['Models'],
    description: 'Describes the snapshot that a name stands for: an alias, or the id of a snapshot.',
    parameters: [modelParameter],
    responses: {
      200: answer('ModelEntry'),
      ...refusalsOf([...WITH_KEY, 'model_not_found', 'engine_timeout'], inEnvelope, [
        ...METERED,
        unknownModel(native),
      ]),
    },
  }),
  openaiModels: describeRoute({
    operationId: 'listOpenAIModels',
    summary: 'List models, in the form of OpenAI’s API',
    tags: ['Compatible APIs'],
    description: 'Lists every snapshot and alias that `GET /v1/models` names, each as a model.',
    responses: {
      200: answer('OpenAIModelList'),
      ...refusalsOf([...WITH_KEY, 'engine_timeout'], inOpenAIEnvelope, METERED),
    },
  }),
  openaiModel: describeRoute({
    operationId: 'retrieveOpenAIModel',
    summary: 'Retrieve a model, in the form of OpenAI’s API',
    tags: ['Compatible APIs'],
    description: 'Describes one of the models that `GET /openai/v1/models` lists.',
    parameters: [modelParameter],
    responses: {
      200: answer('OpenAIModel'),
      ...refusalsOf([...WITH_KEY, 'model_not_found', 'engine_timeout'], inOpenAIEnvelope, [
        ...METERED,
        unknownModel(openai),
      ]),
    },
  }),
  account: looking('readAccount', 'Read the balance and the key', 'Account'),
  accountUsage: looking('readUsage', 'Read daily totals of the account for the last 30 days', 'AccountUsage'),
  accountActivity: looking('listActivity', 'List requests, newest first', 'ActivityList', {
    parameters: parametersOf(ActivityQuery, PARAMETERS),
  }),
  health: describeRoute({
    operationId: 'health',
    summary: 'Check whether the service is healthy',
    tags: ['Service'],
    description: 'Answers 200 even while the scorer is away, then with `ok` false. Needs no key.',
    security: [],
    responses: { 200: answer('Health'), ...refusalsOf(['internal_error'], inEnvelope) },
  }),
}
