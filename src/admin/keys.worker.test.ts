import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { hashApiKey, isWellFormedApiKey } from '../access/api-key.ts'
import { hintOf } from '../access/key-hint.ts'
import { Directory } from '../money/directory.ts'
import { gatesAway } from '../testing/accounts.ts'
import { admit, call, newAccount } from '../testing/admin-api.ts'

describe('POST /admin/v1/accounts/{id}/keys', () => {
  it('shows the key once, and the key works at once if there is money', async () => {
    const id = await newAccount()
    await call('POST', `/accounts/${id}/verify`)
    const { status, body } = await call('POST', `/accounts/${id}/keys`, { kind: 'standard', name: 'server' })
    expect(status).toBe(201)
    expect(isWellFormedApiKey(body.key)).toBe(true)
    expect(await admit(body.key)).toMatchObject({ kind: 'admitted', keyId: body.id, accountId: id })

    const { body: keys } = await call('GET', `/accounts/${id}/keys`)
    const hint = hintOf(body.key)
    expect(keys.data).toMatchObject([
      { id: body.id, name: 'server', kind: 'standard', hint, revoked_at: null },
    ])
    expect(JSON.stringify(keys)).not.toContain(body.key)
  })

  it('makes no key if the key’s Gate is away, so that none is handed out that would be refused', async () => {
    const path = `/accounts/${await newAccount()}/keys`
    const failing = gatesAway()
    const { status, body } = await call('POST', path)
    expect(status).toBe(500)
    expect(body.error).toMatchObject({ message: expect.stringContaining('No key was made') })
    failing.mockRestore()
    expect((await call('GET', path)).body.data).toEqual([])
    const { body: made } = await call('POST', path)
    expect(await admit(made.key)).toMatchObject({ keyId: made.id })
  })

  it('makes no key if the directory is away, so that none is handed out whose owner it could not name', async () => {
    const path = `/accounts/${await newAccount()}/keys`
    const failing = vi.spyOn(Directory.prototype, 'enterKeys').mockImplementation(() => {
      throw new Error('The directory is away.')
    })
    const { status, body } = await call('POST', path)
    expect(status).toBe(500)
    expect(body.error).toMatchObject({ message: expect.stringContaining('No key was made') })
    failing.mockRestore()
    expect((await call('GET', path)).body.data).toEqual([])
  })

  it('makes a key that is refused for lack of credit if the account has no money', async () => {
    const { body } = await call('POST', `/accounts/${await newAccount()}/keys`, { kind: 'playground' })
    expect(await admit(body.key)).toMatchObject({ kind: 'insufficient_credits', rates: { limitRequests: 5 } })
  })

  // Some parsers accept the fourth; if it were read as no time, the key would never expire.
  it.each([
    'soon',
    '2020-01-31T00:00:00Z',
    '2020-01-31',
    '2099-01-31T00:00:00+05',
    '2099-02-29',
    '9999-12-31T23:59:59-12:00',
    4_102_444_800_000,
  ])('refuses %s, which is not a future time', async expires_at => {
    const { status, body } = await call('POST', `/accounts/${await newAccount()}/keys`, { expires_at })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      param: 'expires_at',
      message: expect.stringMatching(
        /^expires_at must be (a day or a time|in the future|in a year of four digits)/,
      ),
    })
  })

  it.each([
    ['2099-01-31T09:30:00.000Z', '2099-01-31T09:30:00.000Z'],
    ['2099-01-31T09:30:00.123456+01:00', '2099-01-31T08:30:00.123Z'],
    ['2099-01-31', '2099-01-31T00:00:00.000Z'],
  ])('keeps the time at which the key expires: %s', async (sent, expires_at) => {
    const id = await newAccount()
    expect(await call('POST', `/accounts/${id}/keys`, { expires_at: sent })).toMatchObject({ status: 201 })
    const { body: keys } = await call('GET', `/accounts/${id}/keys`)
    expect(keys.data).toMatchObject([{ expires_at }])
  })
})

describe('a key', () => {
  const keyOf = async () => {
    const account = await newAccount()
    await call('POST', `/accounts/${account}/verify`)
    const { body } = await call('POST', `/accounts/${account}/keys`, {})
    return { path: `/accounts/${account}/keys/${body.id}`, key: body.key as string }
  }

  it('stops working the moment it is revoked', async () => {
    const { path, key } = await keyOf()
    expect(await admit(key)).toMatchObject({ kind: 'admitted' })
    const { body } = await call('POST', `${path}/revoke`)
    expect(body.revoked_at).toEqual(expect.any(String))
    expect(await admit(key)).toEqual({ kind: 'invalid_api_key' })
  })

  it('is not reported as revoked until its Gate knows', async () => {
    const { path, key } = await keyOf()
    const failing = gatesAway()
    const { status, headers, body } = await call('POST', `${path}/revoke`)
    expect(status).toBe(500)
    expect(headers.has('retry-after')).toBe(false)
    expect(body.error).toMatchObject({ message: expect.stringContaining('recorded') })
    expect(await admit(key)).toMatchObject({ kind: 'admitted' })
    failing.mockRestore()
    await runDurableObjectAlarm(env.ACCOUNT.getByName(path.split('/')[2] ?? ''))
    expect(await admit(key)).toEqual({ kind: 'invalid_api_key' })
    expect((await call('POST', `${path}/revoke`)).status).toBe(200)
  })

  it('is not reported to have the rates reserved for it until its Gate knows', async () => {
    const { path, key } = await keyOf()
    const rates = { requests_per_second: 7, tokens_per_minute: null }
    const failing = gatesAway()
    const { status, body } = await call('PUT', `${path}/rates`, rates)
    expect(status).toBe(500)
    expect(body.error).toMatchObject({ message: expect.stringContaining('The rates are recorded, but') })
    expect(await admit(key)).toMatchObject({ rates: { limitRequests: 200 } })
    failing.mockRestore()
    await runDurableObjectAlarm(env.ACCOUNT.getByName(path.split('/')[2] ?? ''))
    expect(await admit(key)).toMatchObject({ rates: { limitRequests: 7 } })
    expect((await call('PUT', `${path}/rates`, rates)).status).toBe(200)
  })

  it('gets the rates reserved for it, and its own again once those are removed, even at the same moment', async () => {
    const { path, key } = await keyOf()
    vi.useFakeTimers({ toFake: ['Date'] })
    await call('PUT', `${path}/rates`, { requests_per_second: 1000, tokens_per_minute: 100_000_000 })
    expect(await admit(key)).toMatchObject({ rates: { limitRequests: 1000, limitTokens: 100_000_000 } })
    await call('PUT', `${path}/rates`, { requests_per_second: null, tokens_per_minute: null })
    expect(await admit(key)).toMatchObject({ rates: { limitRequests: 200, limitTokens: 20_000_000 } })
    vi.useRealTimers()
  })

  it.each([
    [{}, 'requests_per_second is required.'],
    [{ requests_per_second: 1, tokens_per_minute: 1, burst: 1 }, 'burst is not a known field.'],
    [null, 'The body must be a JSON object.'],
  ])('is refused the rates %j, and the answer says why', async (rates, message) => {
    const { status, body } = await call('PUT', `${(await keyOf()).path}/rates`, rates)
    expect(status).toBe(422)
    expect(body.error.message).toBe(message)
  })

  it.each([0, 1.5, 100_001])('is refused a rate of %d requests per second', async requests_per_second => {
    const rates = { requests_per_second, tokens_per_minute: null }
    const { status, body } = await call('PUT', `${(await keyOf()).path}/rates`, rates)
    expect(status).toBe(422)
    expect(body.error.message).toBe('requests_per_second must be a whole number from 1 to 100000.')
  })

  it.each([
    [100_000, 10_000_000_000, 200],
    [100_000, 10_000_000_001, 422],
  ])(
    'may have %i requests a second and %i tokens a minute: answered %i',
    async (requests_per_second, tokens_per_minute, status) => {
      const rates = { requests_per_second, tokens_per_minute }
      expect(await call('PUT', `${(await keyOf()).path}/rates`, rates)).toMatchObject({ status })
    },
  )

  it('that was never issued is invalid and leaves nothing behind', async () => {
    expect(await admit('sk_decider_made_up')).toEqual({ kind: 'invalid_api_key' })
    const gate = env.GATE.getByName(hashApiKey('sk_decider_made_up'))
    expect(await runInDurableObject(gate, (_, { storage }) => storage.list())).toEqual(new Map())
  })
})

describe('GET /admin/v1/keys/{key}', () => {
  it('says of a key id alone whose it is, and how the key stands', async () => {
    await newAccount()
    const account_id = await newAccount()
    const { body: made } = await call('POST', `/accounts/${account_id}/keys`, { name: 'server' })
    const { status, body } = await call('GET', `/keys/${made.id}`)
    expect(status).toBe(200)
    const owner = { account_id, account_name: 'Ada' }
    expect(body).toMatchObject({ id: made.id, object: 'api_key', name: 'server', revoked_at: null, ...owner })
    await call('POST', `/accounts/${account_id}/keys/${made.id}/revoke`)
    expect((await call('GET', `/keys/${made.id}`)).body).toMatchObject({
      revoked_at: expect.any(String),
      ...owner,
    })
  })

  it.each(['key_000000000000000000000000', 'acct_x', '%20'])('answers 404 for %s', async id => {
    expect((await call('GET', `/keys/${id}`)).status).toBe(404)
  })

  it('answers 404 for a key that its account took back', async () => {
    const path = `/accounts/${await newAccount()}/keys`
    const entering = vi.spyOn(Directory.prototype, 'enterKeys')
    const failing = gatesAway()
    await call('POST', path)
    const id = entering.mock.calls[0]?.[1][0] ?? ''
    failing.mockRestore()
    entering.mockRestore()
    expect(id).toMatch(/^key_/)
    expect((await call('GET', `/keys/${id}`)).status).toBe(404)
  })
})
