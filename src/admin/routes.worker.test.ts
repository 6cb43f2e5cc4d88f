import { runDurableObjectAlarm } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { hashApiKey, isWellFormedApiKey } from '../access/api-key.ts'
import { Gate } from '../access/gate.ts'
import { Directory } from '../money/directory.ts'

const call = async (
  method: string,
  path: string,
  body?: unknown,
  authorization: string | null = `Bearer ${env.ADMIN_SECRET}`,
) => {
  const answer = await exports.default.fetch(`https://decider.test/admin/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
}

const newAccount = async (): Promise<string> => (await call('POST', '/accounts', { name: 'Ada' })).body.id

/** Until it is restored, no Gate can be told of a key. */
const gatesAway = () =>
  vi.spyOn(Gate.prototype, 'adopt').mockImplementation(() => {
    throw new Error('The Gate is away.')
  })

/** How the account stands in the list. */
const entryOf = async (id: string) => {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await call('GET', `/accounts?limit=200&cursor=${cursor}`)
    const entry = body.data.find((each: { id: string }) => each.id === id)
    if (entry) return entry
    cursor = body.next_cursor
  }
  return null
}

const admit = (key: string, tokens = 10) => env.GATE.getByName(hashApiKey(key)).admit(tokens)

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

describe('POST /admin/v1/accounts', () => {
  it('opens an account with nothing in it', async () => {
    const { status, body } = await call('POST', '/accounts', { name: 'Ada' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Ada', balance_usd: '0.00', verified_at: null, live_keys: 0 })
    expect(body.id).toMatch(/^acct_[0-9a-f]{24}$/)
  })

  it('enters it in the list, page by page', async () => {
    const ids = [await newAccount(), await newAccount(), await newAccount()]
    const listed: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `/accounts?limit=1&cursor=${cursor}`)
      expect(body.data).toHaveLength(1)
      listed.push(...body.data.map((entry: { id: string }) => entry.id))
      cursor = body.next_cursor
    }
    expect(listed).toEqual(expect.arrayContaining(ids))
    expect(listed).toEqual([...listed].sort())
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ nmae: 'x' }, 'nmae'],
    [[], 'body'],
  ])('refuses %j and names the field', async (sent, param) => {
    const { status, body } = await call('POST', '/accounts', sent)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'invalid_schema', param })
  })
})

describe('PUT /admin/v1/accounts/{id}/name', () => {
  it('renames the account, also in the list', async () => {
    const id = await newAccount()
    const { status, body } = await call('PUT', `/accounts/${id}/name`, { name: ' Grace ' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, name: 'Grace' })
    expect((await call('GET', `/accounts/${id}`)).body.name).toBe('Grace')
    expect(await entryOf(id)).toMatchObject({ id, name: 'Grace' })
  })

  it.each([{}, { name: '' }, { name: null }, { name: 'x'.repeat(101) }])(
    'refuses %j and keeps the name',
    async sent => {
      const id = await newAccount()
      const { status, body } = await call('PUT', `/accounts/${id}/name`, sent)
      expect(status).toBe(422)
      expect(body.error.param).toBe('name')
      expect((await call('GET', `/accounts/${id}`)).body.name).toBe('Ada')
    },
  )

  it('answers 404 if there is no such account', async () => {
    const path = '/accounts/acct_000000000000000000000000/name'
    expect((await call('PUT', path, { name: 'Grace' })).status).toBe(404)
  })
})

describe('POST /admin/v1/accounts/{id}/close', () => {
  const setup = async () => {
    const path = `/accounts/${await newAccount()}`
    await call('POST', `${path}/verify`)
    const { body } = await call('POST', `${path}/keys`)
    return { path, id: path.slice('/accounts/'.length), key: body.key as string }
  }

  it('revokes the keys at once, and says what is left', async () => {
    const { path, id, key } = await setup()
    const { status, body } = await call('POST', `${path}/close`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ closed_at: expect.any(String), live_keys: 0, balance_usd: '5.00' })
    expect(await admit(key)).toEqual({ kind: 'invalid_api_key' })
    const { data } = (await call('GET', `${path}/keys`)).body
    expect(data).toMatchObject([{ revoked_at: body.closed_at, revoked_because: 'requested' }])
    expect(await entryOf(id)).toMatchObject({ closed_at: body.closed_at })
    expect((await call('POST', `${path}/close`)).body).toEqual(body)
  })

  it.each([
    ['POST', 'keys', {}],
    ['PUT', 'auto-reload', { threshold_usd: '1.00', amount_usd: '20.00' }],
    ['POST', 'checkout', { amount_usd: '25.00', return_url: 'https://example.com' }],
  ])('ends what would spend or ask for money: %s %s', async (method, what, sent) => {
    const { path } = await setup()
    await call('POST', `${path}/close`)
    const { status, body } = await call(method, `${path}/${what}`, sent)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      code: 'invalid_schema',
      message: 'The account is closed. Reopen it first.',
    })
    expect((await call('GET', path)).body).toMatchObject({ live_keys: 0, auto_reload: null })
  })

  it('keeps the books, in which the rest is paid back', async () => {
    const { path } = await setup()
    await call('POST', `${path}/close`)
    for (const what of ['credits', 'charges', 'activity', 'usage', 'keys']) {
      expect((await call('GET', `${path}/${what}`)).status).toBe(200)
    }
    const paidBack = { amount_usd: '5.00', reference: 'paid back' }
    expect((await call('POST', `${path}/deduct`, paidBack)).body).toMatchObject({ balance_usd: '0.00' })
    expect((await call('DELETE', `${path}/auto-reload`)).status).toBe(200)
  })

  it('says so while the Gate of a key does not know, and can be sent again', async () => {
    const { path, id, key } = await setup()
    const failing = gatesAway()
    const { status, body } = await call('POST', `${path}/close`)
    expect(status).toBe(500)
    expect(body.error.message).toBe(
      'The account is closed, but keys of it work until their Gates are notified. Send the request again.',
    )
    expect(await admit(key)).toMatchObject({ kind: 'admitted' })
    failing.mockRestore()
    await runDurableObjectAlarm(env.ACCOUNT.getByName(id))
    expect(await admit(key)).toEqual({ kind: 'invalid_api_key' })
    expect((await call('POST', `${path}/close`)).status).toBe(200)
  })

  it('is undone by reopening, except for the keys', async () => {
    const { path, id, key } = await setup()
    await call('POST', `${path}/close`)
    const { status, body } = await call('POST', `${path}/reopen`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ closed_at: null, live_keys: 0, balance_usd: '5.00' })
    expect(await entryOf(id)).toMatchObject({ closed_at: null })
    expect(await admit(key)).toEqual({ kind: 'invalid_api_key' })
    const { body: made } = await call('POST', `${path}/keys`)
    expect(await admit(made.key)).toMatchObject({ kind: 'admitted' })
  })

  it.each(['close', 'reopen'])('answers 404 if there is no such account: %s', async what => {
    expect((await call('POST', `/accounts/acct_000000000000000000000000/${what}`)).status).toBe(404)
  })
})

describe('POST /admin/v1/accounts/{id}/verify', () => {
  it('grants the starter credit once', async () => {
    const id = await newAccount()
    expect((await call('POST', `/accounts/${id}/verify`)).body.balance_usd).toBe('5.00')
    const again = await call('POST', `/accounts/${id}/verify`)
    expect(again.body).toMatchObject({ balance_usd: '5.00', credits_nanodollars: 5_000_000_000 })
  })

  it.each(['acct_000000000000000000000000', 'acct_x'])('answers 404 for %s', async id => {
    expect((await call('POST', `/accounts/${id}/verify`)).status).toBe(404)
  })
})

describe('POST /admin/v1/accounts/{id}/top-up', () => {
  it('credits one reference once', async () => {
    const id = await newAccount()
    const order = { amount_usd: '12.50', reference: 'invoice 7' }
    expect((await call('POST', `/accounts/${id}/top-up`, order)).body).toMatchObject({
      balance_usd: '12.50',
      credited: true,
    })
    expect((await call('POST', `/accounts/${id}/top-up`, order)).body).toMatchObject({
      balance_usd: '12.50',
      credited: false,
    })
  })

  it('refuses what would raise the balance above 2,000,000 dollars, and books nothing of it', async () => {
    const path = `/accounts/${await newAccount()}`
    for (const reference of ['1', '2']) {
      await call('POST', `${path}/top-up`, { amount_usd: '1000000.00', reference })
    }
    const { status, body } = await call('POST', `${path}/top-up`, { amount_usd: '0.01', reference: '3' })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      param: 'amount_usd',
      message: 'amount_usd would raise the balance above 2000000.',
    })
    expect((await call('GET', path)).body.balance_usd).toBe('2000000.00')
  })

  it.each(['0', '-5', '1e3', 'five', 5])('refuses the amount %j', async amount_usd => {
    const { status, body } = await call('POST', `/accounts/${await newAccount()}/top-up`, {
      amount_usd,
      reference: 'r',
    })
    expect(status).toBe(422)
    expect(body.error.param).toBe('amount_usd')
  })
})

describe('POST /admin/v1/accounts/{id}/deduct', () => {
  it('deducts one reference once, below zero if need be', async () => {
    const id = await newAccount()
    await call('POST', `/accounts/${id}/top-up`, { amount_usd: '5.00', reference: 'chargeback 1' })
    const order = { amount_usd: '7.50', reference: 'chargeback 1' }
    for (const deducted of [true, false]) {
      const { body } = await call('POST', `/accounts/${id}/deduct`, order)
      expect(body).toMatchObject({ balance_usd: '-2.50', deducted })
    }
    expect((await call('GET', `/accounts/${id}/credits`)).body.data).toContainEqual(
      expect.objectContaining({ kind: 'deduction', amount_usd: '-7.50' }),
    )
  })
})

describe('an account whose whole balance is deducted', () => {
  it('is stopped at once, until the same amount is credited again', async () => {
    const id = await newAccount()
    await call('POST', `/accounts/${id}/verify`)
    const { body } = await call('POST', `/accounts/${id}/keys`)
    const stop = { amount_usd: '6.00', reference: 'stop' }
    await call('POST', `/accounts/${id}/deduct`, stop)
    expect(await admit(body.key)).toMatchObject({ kind: 'insufficient_credits' })
    await call('POST', `/accounts/${id}/top-up`, stop)
    expect(await admit(body.key)).toMatchObject({ kind: 'admitted' })
  })
})

describe('POST /admin/v1/accounts/{id}/keys', () => {
  it('shows the key once, and the key works at once if there is money', async () => {
    const id = await newAccount()
    await call('POST', `/accounts/${id}/verify`)
    const { status, body } = await call('POST', `/accounts/${id}/keys`, { kind: 'standard', name: 'server' })
    expect(status).toBe(201)
    expect(isWellFormedApiKey(body.key)).toBe(true)
    expect(await admit(body.key)).toMatchObject({ kind: 'admitted', keyId: body.id, accountId: id })

    const { body: keys } = await call('GET', `/accounts/${id}/keys`)
    expect(keys.data).toMatchObject([{ id: body.id, name: 'server', kind: 'standard', revoked_at: null }])
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
    4_102_444_800_000,
  ])('refuses %s, which is not a future time', async expires_at => {
    const { status, body } = await call('POST', `/accounts/${await newAccount()}/keys`, { expires_at })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      param: 'expires_at',
      message: expect.stringMatching(/^expires_at must be (a day or a time|in the future)/),
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

  it('gets the rates reserved for it, and its own again once those are removed', async () => {
    const { path, key } = await keyOf()
    await call('PUT', `${path}/rates`, { requests_per_second: 1000, tokens_per_minute: 100_000_000 })
    expect(await admit(key)).toMatchObject({ rates: { limitRequests: 1000, limitTokens: 100_000_000 } })
    await call('PUT', `${path}/rates`, { requests_per_second: null, tokens_per_minute: null })
    expect(await admit(key)).toMatchObject({ rates: { limitRequests: 200, limitTokens: 20_000_000 } })
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

  it('that was never issued is invalid and leaves nothing behind', async () => {
    expect(await admit('sk_decider_made_up')).toEqual({ kind: 'invalid_api_key' })
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

describe('PUT /admin/v1/accounts/{id}/auto-reload', () => {
  const settings = { threshold_usd: '1.00', amount_usd: '20.00' }

  it('is kept until it is deleted', async () => {
    const id = await newAccount()
    await call('POST', `/accounts/${id}/verify`)
    const { body } = await call('PUT', `/accounts/${id}/auto-reload`, settings)
    expect(body.auto_reload).toEqual({ ...settings, last_fired_at: null, last_outcome: null, can_pay: true })
    expect((await call('DELETE', `/accounts/${id}/auto-reload`)).body.auto_reload).toBeNull()
  })

  it('fires at once if the balance is already low', async () => {
    const id = await newAccount()
    const { body } = await call('PUT', `/accounts/${id}/auto-reload`, settings)
    const fired = { last_fired_at: expect.any(String), last_outcome: 'paid' }
    expect(body).toMatchObject({ balance_usd: '20.00', auto_reload: fired })
    expect((await call('GET', `/accounts/${id}/credits`)).body.data).toMatchObject([
      { kind: 'auto_reload', amount_usd: '20.00' },
    ])
  })

  it('needs both amounts', async () => {
    const { status, body } = await call('PUT', `/accounts/${await newAccount()}/auto-reload`, {
      amount_usd: '20.00',
    })
    expect(status).toBe(422)
    expect(body.error.param).toBe('threshold_usd')
  })
})

describe('POST /admin/v1/accounts/{id}/checkout', () => {
  it('answers with the address of a page to pay on', async () => {
    const order = { amount_usd: '25.00', return_url: 'https://example.com/thanks' }
    const { status, body } = await call('POST', `/accounts/${await newAccount()}/checkout`, order)
    expect(status).toBe(201)
    expect(body.url).toBe('https://example.com/thanks')
  })

  it.each(['javascript:alert(1)', 'thanks', ''])('refuses to return to %j', async return_url => {
    const { status, body } = await call('POST', `/accounts/${await newAccount()}/checkout`, {
      amount_usd: '25.00',
      return_url,
    })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ param: 'return_url', message: 'return_url must be a web address.' })
  })
})

describe.each(['0.49', '1000000.00'])('a payment of %s, which cannot be charged', amount_usd => {
  it.each([
    ['PUT', 'auto-reload', { threshold_usd: '1.00' }],
    ['POST', 'checkout', { return_url: 'https://example.com/thanks' }],
  ])('is refused: %s %s', async (method, path, order) => {
    const sent = { ...order, amount_usd }
    const { status, body } = await call(method, `/accounts/${await newAccount()}/${path}`, sent)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ param: 'amount_usd', message: expect.stringContaining('"0.50"') })
  })
})

describe('what an operator reads about an account', () => {
  /** The whole list, read one entry at a time. */
  const everyEntry = async (path: string): Promise<Record<string, unknown>[]> => {
    const entries = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await call('GET', `${path}?limit=1${cursor && `&cursor=${cursor}`}`)
      expect(body.data).toHaveLength(1)
      entries.push(...body.data)
      cursor = body.next_cursor
    }
    return entries
  }

  it('is empty at first', async () => {
    const id = await newAccount()
    expect((await call('GET', `/accounts/${id}/activity`)).body).toEqual({
      object: 'list',
      data: [],
      next_cursor: null,
    })
    expect((await call('GET', `/accounts/${id}/usage`)).body.data).toHaveLength(30)
    expect((await call('GET', `/accounts/${id}/credits`)).body.data).toEqual([])
  })

  it('is every credit page by page, newest first, each with its reference as it was given', async () => {
    const id = await newAccount()
    await call('POST', `/accounts/${id}/verify`)
    const references = ['invoice 7', 'a:b', 'é & ?', 'invoice 8']
    for (const reference of references) {
      await call('POST', `/accounts/${id}/top-up`, { amount_usd: '1.00', reference })
    }
    await call('POST', `/accounts/${id}/deduct`, { amount_usd: '1.00', reference: 'invoice 7' })
    const credits = await everyEntry(`/accounts/${id}/credits`)
    expect(credits.map(({ kind, reference }) => `${kind} ${reference}`).sort()).toEqual(
      ['deduction invoice 7', 'starter starter', ...references.map(each => `top_up ${each}`)].sort(),
    )
    const times = credits.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('is what each key was charged on each day, page by page, the latest day first', async () => {
    const id = await newAccount()
    const account = env.ACCOUNT.getByName(id)
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const [day, key] of [
      ['2026-11-20', 'key_a'],
      ['2026-11-20', 'key_b'],
      ['2026-11-21', 'key_a'],
    ] as const) {
      vi.setSystemTime(`${day}T12:00:00Z`)
      const sequence = Number(day.slice(-2))
      await account.handOver(key, sequence, { requests: 2, inputTokens: 30, nanodollars: 3_000 })
    }
    vi.useRealTimers()
    const cost = { requests: 2, input_tokens: 30, cost_usd: '0.000003', cost_nanodollars: 3_000 }
    expect(await everyEntry(`/accounts/${id}/charges`)).toEqual([
      { day: '2026-11-21', key_id: 'key_a', ...cost },
      { day: '2026-11-20', key_id: 'key_b', ...cost },
      { day: '2026-11-20', key_id: 'key_a', ...cost },
    ])
  })

  it.each(['activity', 'usage', 'credits', 'charges'])(
    'is a 404 if there is no such account: its %s',
    async what => {
      expect((await call('GET', `/accounts/acct_000000000000000000000000/${what}`)).status).toBe(404)
    },
  )

  it.each([
    'activity?status=999',
    'activity?limit=abc',
    'activity?from=x',
    'credits?cursor=x',
    'charges?cursor=x',
  ])('refuses ?%s', async query => {
    expect((await call('GET', `/accounts/${await newAccount()}/${query}`)).status).toBe(422)
  })
})
