import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { NOTHING_SPENT } from '../access/admission.ts'
import { sealProfile } from '../profiles/profile.ts'
import { linesOf } from '../testing/log.ts'
import { apiKey, OWNER, profileKey, RATES, SETTLED_RATES, setup } from '../testing/setup.ts'

const decision = { state: 's', questions: { q: { type: 'noul' } } }
type Edge = ReturnType<typeof setup>

/** Its message looks like a stack, as a request's own text may. */
const broken = () =>
  setup({
    scorer: { score: () => Promise.reject(new TypeError('the canary sang\n    at canary (sky.ts:1:1)')) },
  })

const unfunded = () => setup({ admission: { kind: 'insufficient_credits', ...OWNER, rates: RATES } })
const foreignProfile = sealProfile({ snapshot: 'decider-preview-2025-01-01', rules: new Map() }, profileKey)

const cases: [what: string, status: number, edge: () => Edge, call: (edge: Edge) => Promise<Response>][] = [
  ['an answer', 200, setup, edge => edge.post('/v1/decisions', decision)],
  ['the list of models', 200, setup, edge => edge.get('/v1/models')],
  ['a probe', 200, setup, edge => edge.fetch('/healthz')],
  ['a broken profile', 400, setup, edge => edge.post('/v1/decisions', { ...decision, calibration: 'x' })],
  [
    'a request without a key',
    401,
    setup,
    edge => edge.fetch('/v1/decisions', { method: 'POST', body: '{}' }),
  ],
  ['an empty balance', 402, unfunded, edge => edge.post('/v1/decisions', decision)],
  ['an unknown model', 404, setup, edge => edge.post('/v1/decisions', { ...decision, model: 'gpt' })],
  ['an unknown path', 404, setup, edge => edge.fetch('/v2/decisions')],
  ['a wrong method', 405, setup, edge => edge.get('/v1/decisions')],
  [
    'a profile of another snapshot',
    409,
    setup,
    edge => edge.post('/v1/decisions', { ...decision, calibration: foreignProfile }),
  ],
  ['a large body', 413, setup, edge => edge.post('/v1/decisions', 'x'.repeat(4_000_001))],
  [
    'a compressed body',
    415,
    setup,
    edge => edge.post('/v1/decisions', decision, { 'content-encoding': 'gzip' }),
  ],
  ['a malformed body', 422, setup, edge => edge.post('/v1/decisions', '{')],
  ['a fault of ours', 500, broken, edge => edge.post('/v1/decisions', decision)],
  ['the admin API', 401, setup, edge => edge.fetch('/admin/v1/accounts')],
]

const expectEveryHeader = ({ status, headers }: Response) => {
  const requestId = headers.get('Decider-Request-Id')
  expect(requestId).toMatch(/^req_[0-9a-f]{24}$/)
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-typesafe-request-id': requestId,
    'x-request-id': requestId,
    'decider-region': 'us',
    'decider-data-retention': 'none',
    'cache-control': 'no-store',
    'x-ratelimit-limit-requests': '200',
    'x-ratelimit-remaining-requests': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset-requests': '1',
    'x-ratelimit-limit-tokens': '20000000',
    'x-ratelimit-remaining-tokens': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset-tokens': '60',
  })
  expect(headers.has('retry-after')).toBe(false)
  expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
}

describe.each(cases)('every response to %s (%i)', (what, status, given, call) => {
  it('carries the headers of the specification', async () => {
    const response = await call(given())
    expect(response.status).toBe(status)
    expectEveryHeader(response)
    // Of these, only the answer was scored.
    expect(response.headers.has('decider-model-version')).toBe(what === 'an answer')
  })

  it('leaves one row of activity, with the id it was answered with', async () => {
    const edge = given()
    const { headers } = await call(edge)
    expect(edge.recorded).toMatchObject([
      { requestId: headers.get('decider-request-id'), status, region: 'us' },
    ])
  })
})

describe.each(setup().routes)('$method $path', ({ method, path: pattern }) => {
  const path = pattern.replaceAll(/:\w+/g, 'acct_000000000000000000000000')
  const knocks: [what: string, init: RequestInit][] = [
    ['nothing', {}],
    ['an API key', { headers: { authorization: `Bearer ${apiKey}` } }],
    ['the admin secret', { headers: { authorization: `Bearer ${env.ADMIN_SECRET}` } }],
    ['a malformed body', { body: '{', headers: { authorization: `Bearer ${env.ADMIN_SECRET}` } }],
  ]

  it.each(knocks.filter(([, { body }]) => method !== 'GET' || body === undefined))(
    'carries the headers of the specification when sent %s',
    async (_, init) => {
      const response = await setup().fetch(path, { method, ...init })
      expectEveryHeader(response)
      expect(response.status).not.toBe(500)
    },
  )

  it.each([
    ['a stranger', {}],
    ['the operator', { authorization: `Bearer ${env.ADMIN_SECRET}` }],
  ])('is logged under its own pattern if %s asks', async (_, headers) => {
    const edge = setup()
    const lines = linesOf('log')
    await edge.fetch(path, { method, headers })
    // The doctor has only a line.
    expect([...edge.recorded, ...lines()]).toMatchObject([{ path: pattern }])
  })

  it('refuses a wrong method with 401, or says which methods are right', async () => {
    const edge = setup()
    const response = await edge.fetch(path, { method: 'PATCH' })
    expectEveryHeader(response)
    if (response.status === 401) return
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')?.split(', ')).toContain(method)
    expect(edge.recorded).toMatchObject([{ path: pattern, errorCode: 'method_not_allowed' }])
  })

  it('answers even if the configuration is broken', async () => {
    const faults = linesOf('error')
    const lines = linesOf('log')
    const broken = () => {
      throw new Error('the canary sang')
    }
    const response = await setup({ services: broken }).fetch(path, { method })
    expectEveryHeader(response)
    const text = await response.text()
    expect(text).not.toContain('canary')
    const request_id = response.headers.get('decider-request-id')
    const reported = faults()
    if (path === '/admin/v1/doctor') expect(response.status).toBe(401)
    else {
      const { error, detail } = JSON.parse(text)
      // In the dialect of the path.
      const code = path === '/v1/systemone' ? detail.x_code : error.code
      expect(code).toBe('internal_error')
      if (path.startsWith('/openai/')) expect(error).toHaveProperty('param', null)
      expect(reported).toMatchObject([{ kind: 'unforeseen', request_id }])
    }
    expect(JSON.stringify(reported)).not.toContain('canary')
    const { status } = response
    expect(lines()).toMatchObject([{ request_id, status }])
  })
})

describe('the rate headers', () => {
  it('show the standard limits, untouched, to a caller without a key', async () => {
    const { headers } = await setup().fetch('/healthz')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('400')
    expect(headers.get('x-ratelimit-remaining-tokens')).toBe('20000000')
  })

  it("show what is left of the key's own limits once the request is settled", async () => {
    const { headers } = await setup().post('/v1/decisions', decision)
    expect(headers.get('x-ratelimit-remaining-requests')).toBe(String(RATES.remainingRequests))
    expect(headers.get('x-ratelimit-remaining-tokens')).toBe(String(SETTLED_RATES.remainingTokens))
  })

  it('show the limits of a key that is refused, and what is left of them', async () => {
    const rates = {
      limitRequests: 7,
      remainingRequests: 6,
      resetRequestsSeconds: 2,
      limitTokens: 5_000,
      remainingTokens: 4_000,
      resetTokensSeconds: 30,
    }
    const edge = setup({ admission: { kind: 'insufficient_credits', ...OWNER, rates } })
    const { headers } = await edge.post('/v1/decisions', decision)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-ratelimit-limit-requests': '7',
      'x-ratelimit-remaining-requests': '6',
      'x-ratelimit-reset-requests': '2',
      'x-ratelimit-limit-tokens': '5000',
      'x-ratelimit-remaining-tokens': '4000',
      'x-ratelimit-reset-tokens': '30',
    })
  })
})

describe('a fault of ours', () => {
  it('is an internal_error that reveals nothing, and is reported without its message', async () => {
    const edge = broken()
    const response = await edge.post('/v1/decisions', decision)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'api_error', code: 'internal_error' } })
    expect(text).not.toContain('canary')
    expect(JSON.stringify(edge.faults)).not.toContain('canary')
    const frames = expect.arrayContaining([expect.stringContaining('at decide')])
    const request_id = response.headers.get('decider-request-id')
    expect(edge.faults).toMatchObject([{ kind: 'unforeseen', request_id, name: 'TypeError', frames }])
    expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
  })

  it('is reported without frames if its message is not in its stack, which may quote it all the same', async () => {
    const stack = 'TypeError: the canary sang\n    at canary (sky.ts:1:1)'
    const error = Object.assign(new TypeError('Another message.'), { stack })
    const edge = setup({ scorer: { score: () => Promise.reject(error) } })
    await edge.post('/v1/decisions', decision)
    expect(edge.faults).toMatchObject([{ kind: 'unforeseen', frames: [] }])
  })

  it('that is an error of a Durable Object is reported with what the platform says of it', async () => {
    const reset = Object.assign(new Error('the canary sang'), { retryable: true, durableObjectReset: true })
    const edge = setup({ scorer: { score: () => Promise.reject(reset) } })
    await edge.post('/v1/decisions', decision)
    const said = { overloaded: false, retryable: true, remote: false, durable_object_reset: true }
    expect(edge.faults).toMatchObject([{ kind: 'unforeseen', name: 'Error', ...said }])
  })
})

describe('an unknown route', () => {
  it.each(['/', '/v1', '/v1/decisions/', '/v1/decision', '/openai/v1/chat/completions', '/admin'])(
    '%s is 404 not_found in the envelope',
    async path => {
      const response = await setup().fetch(path, { headers: { authorization: `Bearer ${apiKey}` } })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({
        error: { type: 'invalid_request_error', code: 'not_found', message: expect.any(String) },
      })
    },
  )

  it.each([
    ['/v1/decision', 'There is nothing at this path. GET /openapi.json lists the public paths.'],
    ['/v1/decision/', 'There is nothing at this path. GET /openapi.json lists the public paths.'],
    ...[
      ['/v1/decisions/', 'Remove the slash at its end.'],
      ['//v1/decisions', 'Write single slashes.'],
      ['/openai/v1//decisions', 'Write single slashes.'],
      ['/v1/v1/systemone', 'End the base URL before /v1.'],
      ['/v1/systemone/v1/systemone', 'End the base URL before /v1.'],
      ['/v1/decisions/decisions', 'End the base URL after /v1.'],
      ['/openai/v1/decisions/decisions', 'End the base URL after /v1.'],
      ['/openai/v1/v1/systemone', 'End the base URL before /openai/v1.'],
      ['/systemone', 'End the base URL with /v1.'],
      ['/openai/decisions', 'End the base URL with /openai/v1.'],
      [
        '/decisions',
        'End the base URL with /openai/v1 for answers of OpenAI’s types, or with /v1 for native ones.',
      ],
    ].map(([path = '', advice]) => [
      path,
      `There is nothing at this path. ${advice} GET /openapi.json lists the public paths.`,
    ]),
  ])('%s is told where to look', async (path, message) => {
    const response = await setup().fetch(path, { method: 'POST' })
    expect(await response.json()).toMatchObject({ error: { message } })
  })

  it('is logged without its path or query', async () => {
    const edge = setup()
    await edge.fetch('/v1/canary-path?canary=1')
    expect(JSON.stringify(edge.recorded)).not.toContain('canary')
  })
})

describe('a wrong method', () => {
  it.each([
    ['GET', '/v1/decisions', 'POST'],
    ['DELETE', '/v1/altdecisions', 'POST'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['PUT', '/healthz', 'GET, HEAD'],
    ['PATCH', '/admin/v1/accounts/acct_x/auto-reload', 'PUT, DELETE'],
  ])('%s %s is 405 method_not_allowed and says what is allowed', async (method, path, allowed) => {
    const headers = { authorization: `Bearer ${env.ADMIN_SECRET}` }
    const response = await setup().fetch(path, { method, headers })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allowed)
    expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } })
  })
})
