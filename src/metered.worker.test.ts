import { describe, expect, it } from 'vitest'
import { NOTHING_SPENT } from './access/admission.ts'
import { hashApiKey } from './access/api-key.ts'
import { SNAPSHOT, scorerThatPrefersTheFirst } from './testing/scorer.ts'
import { apiKey, NOW, OWNER, RATES, setup } from './testing/setup.ts'

const decision = { state: 'state', questions: { q: { type: 'noul' } } }
const paths = ['/v1/decisions', '/v1/altdecisions', '/v1/models'] as const
const call = (edge: ReturnType<typeof setup>, path: string, authorization: string | null) =>
  edge.fetch(path, {
    ...(path !== '/v1/models' && { method: 'POST', body: JSON.stringify(decision) }),
    headers: authorization === null ? {} : { authorization },
  })

describe.each(paths)('%s → 401', path => {
  it.each([
    ['missing_api_key', null],
    ['missing_api_key', ''],
    ['missing_api_key', 'Bearer'],
    ['missing_api_key', 'Bearer '],
    ['missing_api_key', `Basic ${apiKey}`],
    ['missing_api_key', `Basic Bearer ${apiKey}`],
    ['missing_api_key', apiKey],
    ['invalid_api_key', 'Bearer sk_other_123'],
    ['invalid_api_key', `Bearer ${apiKey}x`],
    ['invalid_api_key', `Bearer ${apiKey} x`],
    ['invalid_api_key', `Bearer ${apiKey}, Bearer ${apiKey}`],
    ['invalid_api_key', `Bearer ${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`],
  ])('%s without any lookup: %s', async (code, authorization) => {
    const edge = setup()
    const response = await call(edge, path, authorization)
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({
      error: { type: 'authentication_error', code, message: expect.any(String) },
    })
    expect(edge.admitted).toEqual([])
  })

  it('invalid_api_key for a key that was never issued or is revoked', async () => {
    const edge = setup({ admission: { kind: 'invalid_api_key' } })
    const response = await call(edge, path, `Bearer ${apiKey}`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      error: { code: 'invalid_api_key', message: 'This API key is not valid.' },
    })
    expect(edge.settled).toEqual([])
  })

  it.each([
    ['sk_other_123', 'whose keys begin with "sk_decider_"'],
    [apiKey.slice(1), 'whose keys begin with "sk_decider_"'],
    [`"${apiKey}"`, 'Send the key alone, without quotes.'],
    [`Bearer ${apiKey}`, 'Send the key alone'],
    [apiKey.slice(0, -1), 'Was it copied whole?'],
    [`${apiKey} x`, 'Was it copied whole?'],
    [`${apiKey},`, 'Was it copied whole?'],
    [`${apiKey}, Bearer ${apiKey}`, 'sent more than once'],
    [`sk_other_123, Bearer ${apiKey}`, 'sent more than once'],
  ])('invalid_api_key tells what can be seen in the key itself: %s', async (key, message) => {
    const response = await call(setup(), path, `Bearer ${key}`)
    expect(await response.json()).toMatchObject({
      error: { code: 'invalid_api_key', message: expect.stringContaining(message) },
    })
  })
})

describe.each(paths)('%s → 402, 429', path => {
  it('insufficient_credits names the header', async () => {
    const edge = setup({ admission: { kind: 'insufficient_credits', ...OWNER, rates: RATES } })
    const response = await call(edge, path, `Bearer ${apiKey}`)
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({
      error: { type: 'billing_error', code: 'insufficient_credits', param: 'authorization' },
    })
  })

  it.each([
    ['rate_limited', 0.2, '1'],
    ['rate_limited', 0, '1'],
    ['token_rate_limited', 1.2, '2'],
  ] as const)('%s says when to retry', async (kind, retryAfterSeconds, told) => {
    const rates = { ...RATES, remainingRequests: 0 }
    const edge = setup({ admission: { kind, ...OWNER, rates, retryAfterSeconds } })
    const response = await call(edge, path, `Bearer ${apiKey}`)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe(told)
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(await response.json()).toEqual({
      error: { type: 'rate_limit_error', code: kind, message: expect.any(String) },
    })
    expect(edge.settled).toEqual([])
    expect(edge.recorded).toMatchObject([{ ...OWNER, errorCode: kind, path, status: 429 }])
  })

  it('rate_limited names nobody if the Gate has more to do than it can', async () => {
    const edge = setup({ admission: { kind: 'overloaded' } })
    const response = await call(edge, path, `Bearer ${apiKey}`)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toEqual({
      error: { type: 'rate_limit_error', code: 'rate_limited', message: expect.any(String) },
    })
    expect(edge.recorded).toMatchObject([{ accountId: null, keyId: null, errorCode: 'rate_limited' }])
  })
})

it('a refusal waits for the end of a body that is still being sent', async () => {
  const CHUNKS = 5
  let sent = 0
  const body = new ReadableStream({
    type: 'bytes',
    pull: async controller => {
      await scheduler.wait(2)
      controller.enqueue(new Uint8Array([0x20]))
      sent += 1
      if (sent === CHUNKS) controller.close()
    },
  })
  const edge = setup({
    admission: { kind: 'token_rate_limited', ...OWNER, rates: RATES, retryAfterSeconds: 9 },
  })
  const headers = { authorization: `Bearer ${apiKey}`, 'content-length': String(CHUNKS) }
  const response = await edge.fetch('/v1/decisions', { method: 'POST', headers, body })
  expect(response.status).toBe(429)
  expect(sent).toBe(CHUNKS)
})

describe('a key', () => {
  it('is known by its hash, whatever the case of the authorization scheme', async () => {
    const edge = setup()
    const response = await call(edge, '/v1/decisions', `bearer  ${apiKey}`)
    expect(response.status).toBe(200)
    expect(edge.admitted[0]?.keyHash).toBe(hashApiKey(apiKey))
  })
})

describe('admission', () => {
  it('reserves a token for each byte of the body', async () => {
    const edge = setup()
    const body = JSON.stringify(decision)
    await edge.post('/v1/decisions', body, { 'content-length': String(body.length) })
    await edge.fetch('/v1/decisions', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: new Blob([body]).stream(),
    })
    expect(edge.admitted.map(({ tokens }) => tokens)).toEqual([body.length, body.length])
  })

  it('comes before the size and form of the body are checked', async () => {
    const edge = setup({ admission: { kind: 'insufficient_credits', ...OWNER, rates: RATES } })
    for (const body of ['x'.repeat(4_000_001), '{', new Uint8Array([0xff])]) {
      expect((await edge.post('/v1/decisions', body)).status).toBe(402)
    }
    const packed = await edge.post('/v1/decisions', '{}', { 'content-encoding': 'br' })
    expect(packed.status).toBe(402)
  })
})

describe('settlement', () => {
  it('happens once, with actual usage', async () => {
    const edge = setup()
    const response = await edge.post('/v1/decisions', decision)
    const { usage } = (await response.json()) as { usage: { input_tokens: number } }
    expect(edge.settled).toEqual([
      {
        reservation: 'reservation 1',
        spent: { inputTokens: usage.input_tokens, costNanodollars: usage.input_tokens * 100 },
      },
    ])
  })

  it('counts a state that comes from the cache at its own price, and so does the activity', async () => {
    const { score } = scorerThatPrefersTheFirst()
    const cached: typeof score = async (...asked) => {
      const answer = await score(...asked)
      for (const unit of answer.units) if (unit.kind === 'scored') unit.cached = true
      return answer
    }
    const edge = setup({ scorer: { score: cached } })
    await edge.post('/v1/decisions', decision)
    const [state, rest] = ['state'.length, 4 + 3 + 2 * 2]
    const inputTokens = state + rest
    expect(edge.settled).toMatchObject([{ spent: { inputTokens, costNanodollars: state * 20 + rest * 100 } }])
    expect(edge.recorded).toMatchObject([{ inputTokens, cachedTokens: state }])
  })

  it.each([
    ['a malformed body', '{'],
    ['a broken schema', { state: 's' }],
    ['an unknown model', { ...decision, model: 'gpt' }],
    ['a large body', 'x'.repeat(4_000_001)],
  ])('happens once, at zero, after %s', async (_, body) => {
    const edge = setup()
    await edge.post('/v1/decisions', body)
    expect(edge.settled).toEqual([{ reservation: 'reservation 1', spent: NOTHING_SPENT }])
  })

  it('keeps the request alive until it is delivered', async () => {
    const edge = setup()
    await edge.post('/v1/decisions', decision)
    expect(edge.delivered).toEqual(['reservation 1'])
  })

  it('happens even if the caller hangs up before the key is admitted', async () => {
    const edge = setup({ admissionTakesMs: 20 })
    await edge.abandon('/v1/decisions', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-length': '2' },
      body: '{}',
    })
    expect(edge.settled).toHaveLength(1)
  })
})

describe('activity', () => {
  it('holds the metadata of an answered request, and none of its content', async () => {
    const edge = setup()
    await edge.post('/v1/decisions', { state: 'canary-state', questions: { 'canary-id': { type: 'noul' } } })
    expect(edge.recorded).toEqual([
      {
        requestId: expect.stringMatching(/^req_/),
        ...OWNER,
        path: '/v1/decisions',
        status: 200,
        errorCode: null,
        latencyMs: 0,
        model: SNAPSHOT,
        region: 'us',
        inputTokens: 23,
        cachedTokens: 0,
        questionCount: 1,
        at: NOW,
      },
    ])
  })
})
