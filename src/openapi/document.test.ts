import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../app.ts'
import { MAX_CONTAINERS, MAX_DECISION_NODES, MAX_DEPTH, MAX_MEMBERS, MAX_NODES } from '../json/reader.ts'
import { calibrationAnswer } from './calibration-example.ts'
import { FIELDS } from './descriptions.ts'
import { specification } from './document.ts'
import { grouped } from './grouped.ts'

const unwired = (): never => {
  throw new Error('the document needs no services')
}
type Node = { [name: string]: Node | undefined } & { $ref?: unknown }
const document = JSON.parse(JSON.stringify(await specification(buildApp(unwired))))

const references = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const { $ref } = node as { $ref?: unknown }
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(node).flatMap(references)]
}
const schemasIn = (node: unknown): Record<string, unknown>[] =>
  typeof node === 'object' && node !== null
    ? [node as Record<string, unknown>, ...Object.values(node).flatMap(schemasIn)]
    : []
const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<Node | undefined>((node, step) => node?.[step], document)

describe('the OpenAPI document', () => {
  it('describes every route that is declared with a description', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/v1/decisions',
      '/v1/altdecisions',
      '/v1/systemone',
      '/openai/v1/decisions',
      '/v1/calibrations',
      '/v1/models',
      '/v1/models/{model}',
      '/openai/v1/models',
      '/openai/v1/models/{model}',
      '/healthz',
      '/v1/account',
      '/v1/account/usage',
      '/v1/account/activity',
    ])
  })

  it('is the one in docs/, which `npx vitest run src/openapi -u` writes', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json')
  })

  it('says what the model cannot do', () => {
    expect(document.info.description).toContain('cannot calculate')
  })

  it('says in which form criteria are read under their other names', () => {
    const { description } = document.paths['/v1/decisions'].post
    expect(description).toContain('`options` as an array of strings')
    expect(description).toContain('`choices` as an array of objects with `value` and `description`')
    expect(description).toContain('`levels` as an array of objects with `label` and `description`')
  })

  it('refers to nothing that it does not contain', () => {
    expect(references(document).filter(pointer => at(pointer) === undefined)).toEqual([])
  })

  it('contains no schema, header or field description that nothing uses', () => {
    const used = new Set(references(document))
    for (const kind of ['schemas', 'headers']) {
      const names = Object.keys(document.components[kind])
      expect(names.filter(name => !used.has(`#/components/${kind}/${name}`))).toEqual([])
    }
    const stale = Object.entries(FIELDS).flatMap(([schema, fields]) =>
      Object.keys(fields)
        .filter(field => document.components.schemas[schema]?.properties?.[field]?.description === undefined)
        .map(field => `${schema}.${field}`),
    )
    expect(stale).toEqual([])
  })

  it('shows caller-keyed maps as objects, with the limits that are enforced', () => {
    expect(document.components.schemas.ChoiceQuestion.properties.criteria).toMatchObject({
      type: 'object',
      minProperties: 1,
      maxProperties: 1024,
    })
    const { SystemOneChoiceQuestion, CalExample, LabeledScore } = document.components.schemas
    expect(SystemOneChoiceQuestion.properties.criteria).toMatchObject({
      minProperties: 1,
      maxProperties: 255,
    })
    expect(CalExample.properties.questions).toMatchObject({ minProperties: 1, maxProperties: 128 })
    expect(LabeledScore.properties.label).toMatchObject({ type: 'integer', minimum: 0, maximum: 9 })
    expect(document.components.schemas.DecisionResponse.properties.answers.additionalProperties).toEqual({
      $ref: '#/components/schemas/Answer',
    })
  })

  it('names the two sides of a yes-or-no answer, and no other', () => {
    const { NoulAnswer, SystemOneNoulAnswer } = document.components.schemas
    const { probabilities, logits } = NoulAnswer.properties
    const { x_probabilities, x_logits } = SystemOneNoulAnswer.properties
    for (const sides of [probabilities, logits, x_probabilities, x_logits]) {
      expect(Object.keys(sides.properties)).toEqual(['false', 'true'])
      expect(sides).toMatchObject({ required: ['false', 'true'], additionalProperties: false })
    }
  })

  it('says what the data of a JSON part may be', () => {
    const parts = JSON.stringify(document.components.schemas.OpenAIInputJson)
    const object = '{"type":"object","additionalProperties":true}'
    expect(parts).toContain(`"data":{"anyOf":[${object},{"type":"array","items":${object}}]}`)
  })

  it('says of every constant of what type it is, and of no schema that it has several', () => {
    const schemas = schemasIn(document.components.schemas)
    const constants = schemas.filter(({ const: value }) => typeof value === 'string')
    expect(constants.filter(({ type }) => type !== 'string')).toEqual([])
    expect(schemas.filter(({ type }) => Array.isArray(type))).toEqual([])
  })

  it('says of a number that it is a double, and which integers may need more than 32 bits', () => {
    const schemas = schemasIn(document.components.schemas)
    expect(schemas.filter(({ type, format }) => type === 'number' && format !== 'double')).toEqual([])
    expect(schemas.filter(({ type, format }) => type === 'integer' && format === 'double')).toEqual([])
    const formats = (fields: Record<string, { format?: string }>) =>
      Object.keys(fields).filter(name => fields[name]?.format === 'int64')
    const { Account, AccountDay, Credit, Usage } = document.components.schemas
    const money = ['balance_nanodollars', 'credits_nanodollars', 'charges_nanodollars']
    expect(formats(Account.properties)).toEqual(money)
    expect(formats(Credit.properties)).toEqual(['amount_nanodollars'])
    expect(formats(AccountDay.properties)).toEqual(['input_tokens', 'cached_tokens', 'cost_nanodollars'])
    expect(formats(Usage.properties)).toEqual([])
  })

  it('has no union in a union', () => {
    type Union = { oneOf?: { $ref: string }[] }
    const { schemas } = document.components
    const unions = schemasIn(schemas).flatMap(({ oneOf = [] }: Union) => oneOf)
    expect(unions.filter(({ $ref }) => (at($ref) as Union).oneOf !== undefined)).toEqual([])
    expect(schemas.OpenAIInputItem.oneOf).toHaveLength(8)
  })

  it('calls the description of an option by its name', () => {
    const descriptionOrNull = { anyOf: [{ $ref: '#/components/schemas/Description' }, { type: 'null' }] }
    const { ChoiceQuestion, LabeledChoice, SystemOneChoiceQuestion } = document.components.schemas
    for (const { properties } of [ChoiceQuestion, LabeledChoice, SystemOneChoiceQuestion])
      expect(properties.criteria.additionalProperties).toEqual(descriptionOrNull)
  })

  it.each([
    ['DecisionRequest', 'model', '`decider-1`'],
    ['DecisionRequest', 'order_invariant', 'False'],
    ['CalibrationRequest', 'model', '`decider-1`'],
    ['CalibrationRequest', 'target_error', '0.05'],
    ['CalibrationRequest', 'offsets', 'False'],
    ['CalibrationRequest', 'curves', 'False'],
  ])('says in words what a %s without %s means', (schema, field, value) => {
    const { description } = document.components.schemas[schema].properties[field]
    expect(description).toContain(`${value} if it is left out`)
  })

  it('says of a legend that it holds descriptions as they may be sent', () => {
    const { ScoreAnswer, ScoreQuestion, SystemOneScoreAnswer } = document.components.schemas
    for (const { properties } of [ScoreAnswer, SystemOneScoreAnswer])
      expect(properties.legend.additionalProperties).toEqual(ScoreQuestion.properties.criteria.items)
  })

  it('admits only null for a field that is not supported', () => {
    expect(document.components.schemas.SystemOneRequest.properties.assets).toMatchObject({ const: null })
  })

  it('leaves the names that clients make of operation ids to their own types', () => {
    type Operation = { operationId: string }
    const operations = Object.values<Record<string, Operation>>(document.paths).flatMap(
      Object.values<Operation>,
    )
    const names = operations.flatMap(({ operationId }) =>
      ['Request', 'Response', 'Error'].map(suffix => `${operationId}${suffix}`.toLowerCase()),
    )
    const schemas = Object.keys(document.components.schemas).map(name => name.toLowerCase())
    expect(schemas.filter(name => names.includes(name))).toEqual([])
  })

  it('names no schema like one of its fields, which clients keep in variables of both names', () => {
    const schemas = Object.entries<{ properties?: object }>(document.components.schemas)
    const clashing = schemas.filter(([name, { properties = {} }]) =>
      Object.keys(properties).some(field => field.replaceAll('_', '').toLowerCase() === name.toLowerCase()),
    )
    expect(clashing.map(([name]) => name)).toEqual([])
  })

  it('says of a query parameter what its text may be', () => {
    const [limit, cursor, from] = document.paths['/v1/account/activity'].get.parameters
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
    expect(cursor.schema).toMatchObject({ type: 'string', pattern: expect.any(String) })
    expect(from.schema).toMatchObject({ type: 'string', default: '1970-01-01' })
  })

  it('distinguishes the kinds of an answer by their type', () => {
    expect(document.components.schemas.OpenAIAnswer.discriminator).toEqual({
      propertyName: 'type',
      mapping: {
        predicate: '#/components/schemas/OpenAIPredicateAnswer',
        choice: '#/components/schemas/OpenAIChoiceAnswer',
        score: '#/components/schemas/OpenAIScoreAnswer',
      },
    })
  })

  it('lists each code under the status that its API answers with', () => {
    const responsesOf = (path: string) => document.paths[path].post.responses
    expect(responsesOf('/v1/decisions')['422'].description).toContain('`state_too_long`')
    expect(responsesOf('/v1/systemone')['400'].description).toContain('`state_too_long`')
    expect(responsesOf('/v1/decisions')['503'].headers).toHaveProperty('Retry-After')
    expect(responsesOf('/v1/decisions')['401'].headers).toHaveProperty('WWW-Authenticate')
    expect(responsesOf('/v1/decisions')['409'].headers).toHaveProperty('x-should-retry')
  })

  it('says how much a body may hold', () => {
    const { description } = document.paths['/v1/decisions'].post.responses['422']
    for (const most of [MAX_DEPTH, MAX_DECISION_NODES, MAX_NODES, MAX_CONTAINERS, MAX_MEMBERS]) {
      expect(description).toMatch(new RegExp(`\\b${grouped(most)} `))
    }
  })

  it('lists the codes and types that each form of refusal may carry', () => {
    const { schemas } = document.components
    const { error_type, x_code } = schemas.SystemOneError.properties.detail.properties
    expect(error_type.enum).toEqual(expect.arrayContaining(['api_usage_error', 'max_tokens_exceeded']))
    expect(x_code.enum).toContain('state_too_long')
    const { type } = schemas.SystemOneValidationError.properties.detail.items.properties
    expect(type.enum).toEqual(expect.arrayContaining(['missing', 'invalid_schema']))
    expect(type.enum).not.toContain('state_too_long')
    const { code, type: types } = schemas.ErrorEnvelope.properties.error.properties
    expect(schemas.OpenAIError.properties.error.properties).toMatchObject({ code, type: types })
  })

  it('answers its examples in the shape of each API', () => {
    const exampleOf = (path: string) =>
      document.paths[path].post.responses['200'].content['application/json'].example
    expect(exampleOf('/v1/altdecisions').answers.team.choice).toBe('billing')
    expect(exampleOf('/v1/systemone').answers.refund.noul).toBeCloseTo(0.994)
    expect(exampleOf('/openai/v1/decisions').answers[2]).toMatchObject({
      name: 'anger',
      score: expect.closeTo(0.599),
    })
  })

  it('answers the calibration whose settings it shows', () => {
    const { target_error, offsets, curves } = document.components.schemas.CalibrationRequest.properties
    expect(target_error.examples).toEqual([calibrationAnswer.target_error])
    const [report] = calibrationAnswer.questions
    expect(offsets.examples).toEqual([report?.after?.offsets !== undefined])
    expect(curves.examples).toEqual([report?.curves !== undefined])
  })

  it('shows the commonest refusals in the shape of each API', () => {
    const refusal = (path: string, status: number) =>
      document.paths[path].post.responses[status].content['application/json'].example
    for (const path of ['/v1/decisions', '/v1/systemone', '/openai/v1/decisions', '/v1/calibrations'])
      for (const status of [401, 402, 404, 422, 429, 503]) expect(refusal(path, status)).toBeDefined()
    const param = 'questions.team.criteria'
    expect(refusal('/v1/decisions', 422).error).toMatchObject({ code: 'invalid_schema', param })
    expect(refusal('/v1/systemone', 422).detail[0].loc).toEqual(['body', ...param.split('.')])
    expect(refusal('/openai/v1/decisions', 422).error.param).toBe('questions[0].choices')
    const { detail } = refusal('/v1/systemone', 400)
    expect(detail).toMatchObject({ x_code: 'state_too_long', error_type: 'max_tokens_exceeded' })
    expect(refusal('/v1/decisions', 400).error.code).toBe('invalid_calibration_profile')
    expect(refusal('/openai/v1/decisions', 404).error.message).toContain('/openai/v1/models')
    expect(refusal('/v1/calibrations', 422).error.code).toBe('too_few_examples')
  })
})

describe('Redocly’s recommended rules, and those about examples and descriptions', () => {
  it('find neither an error nor a warning', async () => {
    // A health check has nothing to refuse.
    const rules = {
      'operation-4xx-response': 'off',
      'no-invalid-schema-examples': 'error',
      'operation-description': 'error',
    } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`),
    ).toEqual([])
  })
})
