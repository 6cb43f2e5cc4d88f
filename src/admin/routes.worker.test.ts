import { env } from 'cloudflare:workers'
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
