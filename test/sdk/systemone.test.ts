// TypeSafe's published SDK, unmodified, against the running service.
import {
  APIError,
  AuthenticationError,
  choice,
  NotFoundError,
  noul,
  RateLimitError,
  score,
  TypeSafeClient,
  UnprocessableEntityError,
} from '@typesafe-ai/sdk'
import { describe, expect, inject, it } from 'vitest'
import { requestDecision } from '../request-decision.ts'
import { failure } from './failure.ts'

const { url, keys } = inject('service')
const client = (config: Partial<ConstructorParameters<typeof TypeSafeClient>[0]> = {}) =>
  new TypeSafeClient({ apiKey: keys.standard, baseURL: url, timeout: 20_000, ...config })

const state = { subject: 'Charged twice', body: 'You charged me twice for March. Refund me today!' }
const questions = {
  refund: noul('Is the customer asking for money back?', { true: 'They want a refund' }),
  team: choice('Which team should handle this?', {
    billing: 'Payments, invoices, refunds',
    technical: { what: 'Bugs', examples: ['a crash'] },
    sales: null,
  }),
  anger: score(['How frustrated is the customer?'], ['Calm', { label: 'Frustrated' }, 'Very angry']),
}
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

describe('@typesafe-ai/sdk', () => {
  it('asks questions of all three types with its default model and reads typed answers', async () => {
    const { model, answers, usage } = await client().systemOne({ state, questions })
    expect(model).toMatch(/^decider-preview-/)
    expect(answers.refund.noul).toBeGreaterThanOrEqual(0)
    expect(answers.refund.noul).toBeLessThanOrEqual(1)

    const { probabilities: teams } = answers.team
    expect(Object.keys(teams)).toEqual(['billing', 'technical', 'sales'])
    expect(sum(Object.values(teams))).toBeCloseTo(1, 9)
    expect(teams[answers.team.choice]).toBe(Math.max(...Object.values(teams)))
    expect(answers.team.confidence).toBeCloseTo((teams[answers.team.choice] - 1 / 3) / (1 - 1 / 3), 9)

    const { probabilities: levels, legend } = answers.anger
    expect(legend).toEqual({ 0: 'Calm', 1: { label: 'Frustrated' }, 2: 'Very angry' })
    expect(answers.anger.score).toBeCloseTo(levels[1] + 2 * levels[2], 9)
    expect(usage.input_tokens).toBeGreaterThan(0)
    expect(usage.output_tokens).toBe(0)
  })

  it('gets nothing extra in an answer except prefixed fields', async () => {
    const result = await client().systemOne({ state, questions })
    const ours = (object: object, ...theirs: string[]) =>
      Object.keys(object).filter(name => !theirs.includes(name) && !name.startsWith('x_'))
    expect(ours(result, 'model', 'answers', 'usage')).toEqual([])
    expect(ours(result.answers.refund, 'type', 'noul')).toEqual([])
    expect(ours(result.answers.team, 'type', 'choice', 'probabilities', 'confidence')).toEqual([])
    expect(ours(result.answers.anger, 'type', 'score', 'legend', 'probabilities', 'confidence')).toEqual([])
  })

  it('gets the same answers as the native route gives', async () => {
    const { answers } = await client().systemOne({ state, questions })
    const native = await requestDecision({ state, questions })
    expect(await native.json()).toMatchObject({
      answers: {
        refund: { noul: answers.refund.noul },
        team: { probabilities: answers.team.probabilities },
        anger: { score: answers.anger.score },
      },
    })
  })

  it('receives the request id of answers and errors alike', async () => {
    const { requestId, response } = await client().systemOne({ state, questions }).withResponse()
    expect(requestId).toMatch(/^req_[0-9a-f]{24}$/)
    expect(response.headers.get('decider-request-id')).toBe(requestId)
    const error = await failure(client({ apiKey: 'wrong' }).systemOne({ state, questions }))
    expect(error).toHaveProperty('requestId', expect.stringMatching(/^req_[0-9a-f]{24}$/))
  })

  it('lists models, including its default', async () => {
    const models = await client().models.list()
    expect(models.map(model => model.name)).toContain('jev-latest')
    for (const model of models) {
      expect(model.description).not.toBe('')
      expect(model.release_date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    }
  })

  it('throws its own error classes, with a message that names the field', async () => {
    const unknown = await failure(client().systemOne({ state, questions, model: 'no-such-model' }))
    expect(unknown).toBeInstanceOf(NotFoundError)

    const unauthorized = await failure(client({ apiKey: 'sk_decider_wrong' }).systemOne({ state, questions }))
    expect(unauthorized).toBeInstanceOf(AuthenticationError)
    expect(unauthorized).toHaveProperty('body.detail.error_type', 'authentication_error')
    expect(unauthorized).toHaveProperty('body.detail.x_code', 'invalid_api_key')

    const unlisted = await failure(client({ apiKey: 'wrong' }).models.list())
    expect(unlisted).toBeInstanceOf(AuthenticationError)
    expect(unlisted).toHaveProperty('body.error.code', 'invalid_api_key')

    const misled = await failure(client({ baseURL: `${url}/v1` }).systemOne({ state, questions }))
    expect(misled).toBeInstanceOf(NotFoundError)
    expect(misled).toHaveProperty('body.error.code', 'not_found')

    const invalid = await failure(
      client().systemOne({ state, questions: { 'a.b': { type: 'choice', criteria: {} } } }),
    )
    expect(invalid).toBeInstanceOf(UnprocessableEntityError)
    expect(invalid).toHaveProperty('message', expect.stringContaining('questions.a.b.criteria'))
    expect(invalid).toHaveProperty('body.detail.0.type', 'invalid_schema')
    expect(invalid).toHaveProperty('body.detail.0.loc', ['body', 'questions', 'a.b', 'criteria'])
  })

  it('is told in Jev’s words when a state is too long', async () => {
    const long = 'lorem ipsum dolor sit amet '.repeat(40_000)
    const error = await failure(client().systemOne({ state: long, questions }))
    expect(error).toBeInstanceOf(APIError)
    expect(error).toMatchObject({ status: 400, body: { detail: { error_type: 'max_tokens_exceeded' } } })
  })

  it('is told how long to wait when over the rate limit, waits and is answered', async () => {
    const impatient = client({ apiKey: keys.playground, retry: { maxRetries: 0 } })
    const burst = await Promise.all(
      [...Array(30)].map(() => failure(impatient.systemOne({ state, questions }))),
    )
    const limited = burst.filter(outcome => outcome instanceof RateLimitError)
    expect(limited.length).toBeGreaterThan(0)
    for (const error of limited) expect(error.retryAfterMs).toBeGreaterThanOrEqual(1000)

    const patient = client({ apiKey: keys.playground, retry: { maxRetries: 5 } })
    expect((await patient.systemOne({ state, questions })).answers.refund.type).toBe('noul')
  })
})
