import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { call, entryOf, newAccount, pagesOf } from '../testing/admin-api.ts'

/** The whole list, read one entry at a time. */
const everyEntry = async (path: string): Promise<Record<string, unknown>[]> => {
  const every = []
  for await (const entries of pagesOf(path, 1)) {
    expect(entries).toHaveLength(1)
    every.push(...entries)
  }
  return every
}

describe('POST /admin/v1/accounts', () => {
  it('opens an account with nothing in it', async () => {
    const { status, body } = await call('POST', '/accounts', { name: 'Ada' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Ada', balance_usd: '0.00', verified_at: null, live_keys: 0 })
    expect(body.id).toMatch(/^acct_[0-9a-f]{24}$/)
  })

  it('enters it in the list, page by page', async () => {
    const ids = [await newAccount(), await newAccount(), await newAccount()]
    const listed = (await everyEntry('/accounts')).map(({ id }) => id)
    expect(listed).toEqual(expect.arrayContaining(ids))
    expect(listed).toEqual([...listed].sort())
  })

  it.each(['', 'abc', 'acct_1'])('is not listed from a cursor that no page gave: "%s"', async cursor => {
    const { status, body } = await call('GET', `/accounts?cursor=${cursor}`)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'invalid_schema', param: 'cursor' })
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

describe('POST /admin/v1/accounts/{id}/verify', () => {
  it('grants the starter credit once', async () => {
    const id = await newAccount()
    const { body } = await call('POST', `/accounts/${id}/verify`)
    expect(body).toMatchObject({ balance_usd: '5.00', verified_at: expect.any(String) })
    const again = await call('POST', `/accounts/${id}/verify`)
    expect(again.body).toMatchObject({
      balance_usd: '5.00',
      credits_nanodollars: 5_000_000_000,
      verified_at: body.verified_at,
    })
  })

  it.each(['acct_000000000000000000000000', 'acct_x'])('answers 404 for %s', async id => {
    expect((await call('POST', `/accounts/${id}/verify`)).status).toBe(404)
  })
})

describe('what an operator reads about an account', () => {
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
    // Some at the same time, as the two parts of a refund are.
    vi.useFakeTimers({ toFake: ['Date'] })
    await call('POST', `/accounts/${id}/verify`)
    const references = ['invoice 7', 'a:b', 'é & ?', '~~~', '😀'.repeat(100), 'invoice 8']
    for (const reference of references) {
      await call('POST', `/accounts/${id}/top-up`, { amount_usd: '1.00', reference })
    }
    vi.setSystemTime(Date.now() + 1)
    await call('POST', `/accounts/${id}/deduct`, { amount_usd: '1.00', reference: 'invoice 7' })
    vi.useRealTimers()
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

  it('is every key page by page, newest first, those of one moment and revoked ones included', async () => {
    const id = await newAccount()
    vi.useFakeTimers({ toFake: ['Date'] })
    const made: string[] = []
    for (const later of [0, 0, 1]) {
      vi.setSystemTime(Date.now() + later)
      made.push((await call('POST', `/accounts/${id}/keys`)).body.id)
    }
    const [first = '', second = '', newest] = made
    await call('POST', `/accounts/${id}/keys/${first}/revoke`)
    vi.useRealTimers()
    const keys = await everyEntry(`/accounts/${id}/keys`)
    expect(keys.map(key => key.id)).toEqual([newest, ...[first, second].sort().reverse()])
    expect(keys.find(key => key.id === first)?.revoked_at).not.toBeNull()
  })

  it.each(['activity', 'usage', 'credits', 'charges', 'keys'])(
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
    'keys?cursor=x',
  ])('refuses ?%s', async query => {
    expect((await call('GET', `/accounts/${await newAccount()}/${query}`)).status).toBe(422)
  })
})

describe('a name', () => {
  it.each([
    ['é', 100, 201],
    ['😀', 100, 201],
    ['😀', 101, 422],
  ])('of %s, %i times, is answered %i', async (character, times, status) => {
    expect((await call('POST', '/accounts', { name: character.repeat(times) })).status).toBe(status)
  })
})
