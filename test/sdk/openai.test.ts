// OpenAI's published SDK, unmodified, against the running service: its own dialect and the native route.
import OpenAI, { AuthenticationError, NotFoundError, RateLimitError, UnprocessableEntityError } from 'openai'
import type { Decision, DecisionCreateParams } from 'openai/resources/decisions'
import { describe, expect, inject, it } from 'vitest'
import { requestDecision } from '../request-decision.ts'
import { failure } from './failure.ts'

const { url, keys } = inject('service')
const client = (options: ConstructorParameters<typeof OpenAI>[0] = {}) =>
  new OpenAI({ apiKey: keys.standard, baseURL: `${url}/openai/v1`, timeout: 20_000, ...options })

const input: DecisionCreateParams['input'] = [
  { role: 'system', content: 'You triage tickets.' },
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'Charged twice for March. Refund me today!' },
      { type: 'input_json', data: { order: 4471, plan: 'pro' } },
    ],
  },
  { type: 'function_call', call_id: 'call_1', name: 'charges', arguments: '{"order":4471}' },
  { type: 'function_call_output', call_id: 'call_1', output: '2 charges of $20' },
]
const questions: DecisionCreateParams['questions'] = [
  { type: 'predicate', name: 'refund', instructions: 'The customer asks for money back' },
  {
    type: 'choice',
    name: 'escalate',
    instructions: [{ type: 'input_text', text: 'Escalate?' }],
    choices: [{ value: true, description: 'to a person' }, { value: 'true' }, { value: false }],
  },
  {
    type: 'score',
    instructions: 'Anger',
    levels: [{ label: 'calm' }, { label: 'angry', description: 'shouts' }],
  },
]
const request = { model: 'decider-1', input, questions }
const sum = (items: readonly { probability: number }[]): number =>
  items.reduce((total, { probability }) => total + probability, 0)

describe('openai with the base URL …/openai/v1', () => {
  it('sends messages and tool calls as input, and reads every field of the typed result', async () => {
    const decision = await client().decisions.create(request)
    expect(Object.keys(decision).sort()).toEqual(['answers', 'model', 'usage'])
    expect(decision.model).toMatch(/^decider-preview-/)
    const [refund, escalate, anger] = decision.answers
    if (refund?.type !== 'predicate' || escalate?.type !== 'choice' || anger?.type !== 'score') {
      throw new Error('answers are not in question order')
    }

    expect(refund).toEqual({ type: 'predicate', name: 'refund', probability: expect.any(Number) })
    expect(refund.probability).toBeGreaterThanOrEqual(0)
    expect(refund.probability).toBeLessThanOrEqual(1)

    expect(escalate.name).toBe('escalate')
    expect(escalate.probabilities.map(({ value }) => value)).toEqual([true, 'true', false])
    expect(sum(escalate.probabilities)).toBeCloseTo(1, 9)
    const best = escalate.probabilities.toSorted((a, b) => b.probability - a.probability)[0]
    expect(escalate.choice).toBe(best?.value)
    expect(escalate.confidence).toBeCloseTo(((best?.probability ?? 0) - 1 / 3) / (1 - 1 / 3), 9)

    expect(anger.name).toBeNull()
    expect(anger.probabilities.map(({ label, value }) => [label, value])).toEqual([
      ['calm', 0],
      ['angry', 1],
    ])
    expect(anger.score).toBeCloseTo(anger.probabilities[1]?.probability ?? Number.NaN, 9)

    expect(decision.usage).toEqual({
      input_tokens: expect.any(Number),
      input_tokens_details: { cached_tokens: expect.any(Number), cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: decision.usage.input_tokens,
    } satisfies Decision['usage'])
  })

  it('gets the same decision about a plain text as the native route gives', async () => {
    const text = 'Charged twice for March.'
    const instructions = 'The customer asks for money back'
    const { answers } = await client().decisions.create({
      model: 'decider-1',
      input: text,
      questions: [{ type: 'predicate', instructions }],
    })
    const native = await requestDecision({ state: text, questions: { q: { type: 'noul', instructions } } })
    const { answers: expected } = (await native.json()) as { answers: { q: { noul: number } } }
    expect(answers).toEqual([{ type: 'predicate', name: null, probability: expected.q.noul }])
  })

  it('lists and retrieves models', async () => {
    const listed = []
    for await (const model of client().models.list()) listed.push(model)
    expect(listed.map(model => model.id)).toContain('decider-1')
    const model = await client().models.retrieve('decider-1')
    expect(model).toEqual(listed.find(({ id }) => id === 'decider-1'))
    expect(model).toMatchObject({
      object: 'model',
      created: expect.any(Number),
      owned_by: expect.any(String),
    })
  })

  it('receives the request id of answers and errors alike', async () => {
    const { request_id } = await client().decisions.create(request).withResponse()
    expect(request_id).toMatch(/^req_[0-9a-f]{24}$/)
    const error = await failure(client({ apiKey: 'wrong' }).decisions.create(request))
    expect(error).toHaveProperty('requestID', expect.stringMatching(/^req_[0-9a-f]{24}$/))
  })

  it('throws its own error classes with type, code and param', async () => {
    const unknown = await failure(client().decisions.create({ ...request, model: 'gpt-unknown' }))
    expect(unknown).toBeInstanceOf(NotFoundError)
    expect(unknown).toMatchObject({ code: 'model_not_found', param: null, type: 'invalid_request_error' })

    const unauthorized = await failure(client({ apiKey: 'sk_decider_wrong' }).decisions.create(request))
    expect(unauthorized).toBeInstanceOf(AuthenticationError)
    expect(unauthorized).toMatchObject({ code: 'invalid_api_key', type: 'authentication_error' })

    const image = await failure(
      client().decisions.create({
        ...request,
        input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://example.com/a.png' }] }],
      }),
    )
    expect(image).toBeInstanceOf(UnprocessableEntityError)
    expect(image).toMatchObject({ code: 'invalid_schema', param: 'input[0].content[0].type' })
    expect(image).toHaveProperty('message', expect.stringContaining('input_image'))
  })

  it('is told to wait when over the rate limit, waits and is answered', async () => {
    const impatient = client({ apiKey: keys.playground, maxRetries: 0 })
    const burst = await Promise.all([...Array(30)].map(() => failure(impatient.decisions.create(request))))
    const limited = burst.filter(outcome => outcome instanceof RateLimitError)
    expect(limited.length).toBeGreaterThan(0)
    expect(limited[0]).toMatchObject({ code: 'rate_limited' })
    const patient = client({ apiKey: keys.playground, maxRetries: 5 })
    expect((await patient.decisions.create(request)).answers).toHaveLength(3)
  })
})

describe('openai with the base URL …/v1', () => {
  const native = (options: ConstructorParameters<typeof OpenAI>[0] = {}) =>
    client({ baseURL: `${url}/v1`, ...options })
  const named = questions.filter(question => question.name !== undefined)
  const choices = [{ value: 'billing', description: 'payments' }, { value: 'technical' }]
  const typed = [
    named[0],
    { type: 'choice', name: 'team', instructions: 'Team?', choices },
    { type: 'score', name: 'anger', instructions: 'Anger', levels: [{ label: 'calm' }, { label: 'angry' }] },
  ] as DecisionCreateParams['questions']

  it('has its requests read through the input aliases, and gets answers in the native shape', async () => {
    const decision: unknown = await native().decisions.create({ model: 'decider-1', input, questions: typed })
    expect(decision).toMatchObject({
      object: 'altdecisions.response',
      answers: {
        refund: { type: 'noul', noul: expect.any(Number) },
        team: {
          type: 'choice',
          probabilities: { billing: expect.any(Number), technical: expect.any(Number) },
        },
        anger: { type: 'score', legend: { 0: 'calm', 1: 'angry' } },
      },
    })
  })

  it('sends a native request, whose fields its types do not know, with post', async () => {
    type Decision = { answers: { q: { decider: { abstain: boolean | null } } } }
    const body = { state: 'x', questions: { q: { type: 'noul' } } }
    const { answers } = await native().post<Decision>('/decisions', { body })
    expect(answers.q.decider.abstain).toBeNull()
    const unsigned = native().post<Decision>('/decisions', { body: { ...body, calibration: 'calp1.k.b' } })
    expect(await failure(unsigned)).toMatchObject({ code: 'invalid_calibration_profile' })
  })

  it('lists models and retrieves the one that an alias stands for', async () => {
    const { data } = await native().models.list()
    expect(data.map(model => model.id)).toEqual([expect.stringMatching(/^decider-preview-/)])
    expect(data).toEqual([await native().models.retrieve('decider-1')])
    expect(await failure(native().models.retrieve('gpt'))).toMatchObject({ code: 'model_not_found' })
  })

  it('receives the code, param and type of an error', async () => {
    const error = await failure(
      native().decisions.create({
        model: 'decider-1',
        input: 'x',
        questions: [{ type: 'predicate', instructions: '?' }],
      }),
    )
    expect(error).toBeInstanceOf(UnprocessableEntityError)
    expect(error).toMatchObject({
      code: 'invalid_schema',
      type: 'invalid_request_error',
      param: 'questions.0',
    })
    expect(await failure(native({ apiKey: 'wrong' }).models.list())).toBeInstanceOf(AuthenticationError)
  })
})
