import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, newAccount } from '../testing/admin-api.ts'

describe('the admin API', () => {
  it.each([
    [null, 'missing_api_key'],
    ['Bearer wrong', 'invalid_api_key'],
    ['Basic abc', 'missing_api_key'],
  ])('answers 401 to %s', async (authorization, code) => {
    const { status, body } = await call('GET', '/accounts', undefined, authorization)
    expect(status).toBe(401)
    expect(body.error.code).toBe(code)
  })

  it('reads the bearer token the way the API does', async () => {
    expect((await call('GET', '/accounts', undefined, `bearer  ${env.ADMIN_SECRET}`)).status).toBe(200)
  })
})

describe('a query parameter that the admin API does not know', () => {
  it.each([
    ['GET', ''],
    ['GET', '/keys'],
    ['GET', '/usage'],
    ['GET', '/credits'],
    ['GET', '/charges'],
    ['GET', '/activity'],
    ['POST', '/verify'],
    ['POST', '/top-up'],
    ['POST', '/deduct'],
    ['POST', '/checkout'],
    ['POST', '/keys'],
    ['POST', '/keys/key_1/revoke'],
    ['PUT', '/keys/key_1/rates'],
    ['PUT', '/name'],
    ['POST', '/close'],
    ['POST', '/reopen'],
    ['PUT', '/auto-reload'],
    ['DELETE', '/auto-reload'],
  ])('is refused, not ignored: %s of an account%s', async (method, path) => {
    const { status, body } = await call(method, `/accounts/${await newAccount()}${path}?page=1`)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'invalid_schema', param: 'page' })
  })

  it('keeps what was asked with it from being done', async () => {
    const id = await newAccount()
    expect((await call('POST', `/accounts/${id}/verify?dry_run=true`)).status).toBe(422)
    expect((await call('GET', `/accounts/${id}`)).body.verified_at).toBeNull()
  })

  it.each(['GET', 'POST'])('is refused by the list of accounts: %s', async method => {
    expect((await call(method, '/accounts?page=1')).body.error).toMatchObject({ param: 'page' })
  })

  it('is refused by the doctor, too', async () => {
    expect((await call('GET', '/doctor?scorer=x')).status).toBe(422)
  })

  it.each([
    ['GET', '/account?limit=1', 404],
    ['PUT', '/accounts?limit=1', 405],
  ])('is not blamed where nothing is served: %s %s', async (method, path, expected) => {
    expect((await call(method, path)).status).toBe(expected)
  })
})

describe('a body for the admin API', () => {
  const book = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const id = await newAccount()
    const answer = await exports.default.fetch(`https://decider.test/admin/v1/accounts/${id}/top-up`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.ADMIN_SECRET}`, ...headers },
      body,
    })
    const { balance_usd } = (await call('GET', `/accounts/${id}`)).body
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
    return { status: answer.status, error: ((await answer.json()) as any).error, balance_usd }
  }
  const GOOD = '{"amount_usd":"1.00","reference":"r"}'

  it('may begin with a byte order mark', async () => {
    expect(await book(`\uFEFF${GOOD}`)).toMatchObject({ status: 200, balance_usd: '1.00' })
  })

  it.each<[string, BodyInit, string]>([
    ['repeats a key', '{"amount_usd":"1.00","reference":"r","amount_usd":"7.00"}', 'must not repeat a key'],
    ['is not UTF-8', new Uint8Array([...new TextEncoder().encode('{"reference":"x'), 255, 34, 125]), 'UTF-8'],
    ['holds half a character', '{"amount_usd":"1.00","reference":"\\ud800"}', 'surrogate'],
    ['is cut off', GOOD.slice(0, -1), 'cannot be read as JSON'],
    ['is a list', `[${GOOD}]`, 'must be a JSON object'],
    [
      'names nothing',
      '{"amount_usd":"1.00","reference":"r","":"7.00"}',
      'must not hold a field without a name',
    ],
  ])('that %s is refused, and nothing is booked', async (_, body, rule) => {
    const { status, error, balance_usd } = await book(body)
    expect(status).toBe(422)
    expect(error).toMatchObject({
      code: 'invalid_schema',
      message: expect.stringContaining(rule),
      param: 'body',
    })
    expect(balance_usd).toBe('0.00')
  })

  it.each(['gzip', 'br', 'zstd'])('in %s is refused, whatever it is', async encoding => {
    const { status, error, balance_usd } = await book(GOOD, { 'content-encoding': encoding })
    expect(status).toBe(415)
    expect(error.code).toBe('unsupported_encoding')
    expect(balance_usd).toBe('0.00')
  })
})

describe('a body for what takes none', () => {
  it.each([
    ['POST', '/verify'],
    ['POST', '/close'],
    ['POST', '/reopen'],
    ['POST', '/keys/key_1/revoke'],
    ['DELETE', '/auto-reload'],
  ])('is refused, not ignored: %s of an account%s', async (method, path) => {
    const { status, body } = await call(method, `/accounts/${await newAccount()}${path}`, { dry_run: true })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'invalid_schema', param: 'dry_run' })
  })

  it('keeps what was asked with it from being done, unless it is empty', async () => {
    const id = await newAccount()
    await call('POST', `/accounts/${id}/verify`, { dry_run: true })
    expect((await call('GET', `/accounts/${id}`)).body.verified_at).toBeNull()
    expect((await call('POST', `/accounts/${id}/verify`, {})).body.verified_at).not.toBeNull()
  })
})

describe('a query parameter without a name', () => {
  it.each(['?=1', '?=', '?=1&=2'])('is refused, and nothing is done: %s', async query => {
    const id = await newAccount()
    const { status, body } = await call('POST', `/accounts/${id}/close${query}`)
    expect(status).toBe(422)
    expect(body.error.message).toBe('A query parameter must have a name.')
    expect((await call('GET', `/accounts/${id}`)).body.closed_at).toBeNull()
  })
})
