import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Hono } from 'hono'
import { expect, describe as group, it } from 'vitest'
import { describe } from './describe.ts'
import { FIELDS } from './descriptions.ts'
import { specification } from './document.ts'

const ok = (): Response => new Response()
const app = new Hono()
  .post('/v1/decisions', describe.decisions, ok)
  .post('/v1/altdecisions', describe.altdecisions, ok)
  .post('/v1/systemone', describe.systemone, ok)
  .get('/v1/models', describe.models, ok)
  .get('/healthz', describe.health, ok)
  .post('/openai/v1/decisions', describe.openaiDecisions, ok)
  .get('/openai/v1/models', describe.openaiModels, ok)
  .get('/openai/v1/models/:model', describe.openaiModel, ok)

type Node = { [name: string]: Node | undefined } & { $ref?: unknown }
const document = JSON.parse(JSON.stringify(await specification(app)))

const references = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const { $ref } = node as { $ref?: unknown }
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(node).flatMap(references)]
}
const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<Node | undefined>((node, step) => node?.[step], document)

group('the OpenAPI document', () => {
  it('describes every route that is declared with a description', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/v1/decisions',
      '/v1/altdecisions',
      '/v1/systemone',
      '/v1/models',
      '/healthz',
      '/openai/v1/decisions',
      '/openai/v1/models',
      '/openai/v1/models/{model}',
    ])
  })

  it('refers to nothing that it does not hold', () => {
    expect(references(document).filter(pointer => at(pointer) === undefined)).toEqual([])
  })

  it('holds no schema, header or field description that nothing uses', () => {
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
    expect(document.components.schemas.DecisionResponse.properties.answers.additionalProperties).toEqual({
      $ref: '#/components/schemas/Answer',
    })
  })

  it('lists each code under the status its API answers', () => {
    const responsesOf = (path: string) => document.paths[path].post.responses
    expect(responsesOf('/v1/decisions')['422'].description).toContain('`state_too_long`')
    expect(responsesOf('/v1/systemone')['400'].description).toContain('`state_too_long`')
    expect(responsesOf('/v1/decisions')['503'].headers).toHaveProperty('Retry-After')
  })

  it('answers its examples in each API’s shape', () => {
    const exampleOf = (path: string) =>
      document.paths[path].post.responses['200'].content['application/json'].example
    expect(exampleOf('/v1/altdecisions').answers.team.choice).toBe('billing')
    expect(exampleOf('/v1/systemone').answers.refund.noul).toBe(0.96)
    expect(exampleOf('/openai/v1/decisions').answers[2]).toMatchObject({ name: 'anger', score: 1.2 })
  })
})

group('Redocly’s recommended rules', () => {
  it('find neither an error nor a warning', async () => {
    // A health check has nothing to refuse.
    const rules = { 'operation-4xx-response': 'off' } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`),
    ).toEqual([])
  })
})
