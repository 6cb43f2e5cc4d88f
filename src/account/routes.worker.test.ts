import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activityLog } from '../activity/log.ts'
import type { ActivityRecord } from '../activity/record.ts'
import { AccountUsage, ActivityList } from '../activity/wire.ts'
import { Account } from '../money/account.ts'
import * as wire from '../money/wire.ts'
import { openAccount } from '../testing/accounts.ts'
import { setup as setupEdge } from '../testing/setup.ts'

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
})

const setup = async ({ verified = true } = {}) => {
  const { id, account, newKey } = await openAccount({ verified })
  const { key, keyId, gate } = await newKey({ kind: 'playground', name: 'browser' })
  const get = async (path: string, authorization: string | null = `Bearer ${key}`) => {
    const headers = authorization === null ? {} : { authorization }
    const answer = await exports.default.fetch(`https://decider.test/v1/account${path}`, { headers })
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
  }
  const log = (more: Partial<ActivityRecord>) =>
    activityLog(env.ACTIVITY, () => {}).record({
      requestId: 'req_1',
      keyId,
      accountId: id,
      path: '/v1/decisions',
      status: 200,
      errorCode: null,
      latencyMs: 41.5,
      model: 'decider-preview-2026-10-13',
      region: 'us',
      inputTokens: 120,
      cachedTokens: 20,
      questionCount: 3,
      at: Date.now(),
      ...more,
    })
  return { id, account, gate, key, keyId, get, log }
}

describe('GET /v1/account', () => {
  it('shows balance, credits and the limits of the calling key', async () => {
    const { id, account, keyId, get } = await setup()
    await account.handOver(keyId, 1, { requests: 1, inputTokens: 10_000, nanodollars: 1_000_000 })
    const { status, body } = await get('')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      object: 'account',
      id,
      balance_usd: '4.999',
      balance_nanodollars: 4_999_000_000,
      credits_nanodollars: 5_000_000_000,
      charges_nanodollars: 1_000_000,
      auto_reload: null,
      key: { id: keyId, limits: { requests_per_second: 5, burst: 10, tokens_per_minute: 20_000_000 } },
      recent_credits: [{ kind: 'starter', amount_usd: '5.00', amount_nanodollars: 5_000_000_000 }],
    })
  })

  it('shows the last twenty credits, newest first', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { account, get } = await setup()
    for (let payment = 1; payment <= 21; payment++) {
      vi.setSystemTime(Date.now() + 1)
      await account.credit(`payment:${payment}`, 'top_up', payment)
    }
    const amounts = (await get('')).body.recent_credits.map(
      (credit: wire.Credit) => credit.amount_nanodollars,
    )
    expect(amounts).toEqual(Array.from({ length: 20 }, (_, newer) => 21 - newer))
  })

  it.each([
    ['', wire.Account],
    ['/usage', AccountUsage],
    ['/activity', ActivityList],
  ])('%s answers as documented, with no other fields', async (path, schema) => {
    const { get, log } = await setup()
    await log({})
    const { body } = await get(path)
    expect(v.parse(schema, body)).toEqual(body)
  })

  it('looks up only the calling key: an account whose keys live for an hour has had thousands', async () => {
    const { keyId, get } = await setup()
    const all = vi.spyOn(Account.prototype, 'keys')
    expect((await get('')).body.key.id).toBe(keyId)
    expect(all).not.toHaveBeenCalled()
  })

  it('works at zero balance', async () => {
    const { get } = await setup({ verified: false })
    expect((await get('')).body.balance_usd).toBe('0.00')
  })

  it('counts no decision', async () => {
    const { gate, get } = await setup()
    for (let i = 0; i < 12; i++) await get('')
    expect(await gate.admit(1)).toMatchObject({
      kind: 'admitted',
      rates: { remainingRequests: 9 },
    })
  })

  it('answers 429 beyond five reads a second and a burst of twenty, and shows the rates of decisions', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { get } = await setup()
    for (let i = 0; i < 20; i++) expect((await get('/usage')).status).toBe(200)
    const { status, headers, body } = await get('/usage')
    expect(status).toBe(429)
    expect(body.error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('5 times') })
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('x-ratelimit-limit-requests')).toBe('5')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('10')
    vi.setSystemTime(Date.now() + 200)
    expect((await get('/usage')).status).toBe(200)
    expect((await get('/usage')).status).toBe(429)
  })

  it.each([
    [null, 'missing_api_key'],
    ['Bearer sk_decider_nothing', 'invalid_api_key'],
    ['Bearer sk_decider_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17', 'invalid_api_key'],
  ])('answers 401 to %s', async (authorization, code) => {
    const { get } = await setup()
    const { status, body } = await get('', authorization)
    expect(status).toBe(401)
    expect(body.error.code).toBe(code)
  })

  it.each(['', '/usage', '/activity'])('%s refuses a parameter that it does not know', async path => {
    const { get } = await setup()
    const { status, body } = await get(`${path}?keyid=CANARY`)
    expect(status).toBe(422)
    expect(body.error).toEqual({
      type: 'invalid_request_error',
      code: 'invalid_schema',
      message: 'keyid is not a known field.',
      param: 'keyid',
    })
  })

  it('names only the beginning of a very long parameter', async () => {
    const { get } = await setup()
    const { body } = await get(`?${'a'.repeat(5_000)}=1`)
    expect(body.error.param).toBe(`${'a'.repeat(1_024)}…`)
    expect(body.error.message).toBe(`${body.error.param} is not a known field.`)
  })

  it('is closed to a revoked key, and to one that a restored account has forgotten', async () => {
    const revoked = await setup()
    await revoked.account.revokeKey(revoked.keyId)
    expect((await revoked.get('')).status).toBe(401)
    const forgotten = await setup()
    await runInDurableObject(forgotten.account, (_, { storage }) => void storage.sql.exec('DELETE FROM keys'))
    expect((await forgotten.get('')).status).toBe(401)
  })

  it('answers 429 while its key has more requests than can be looked at', async () => {
    const response = await setupEdge({ identity: { kind: 'overloaded' } }).get('/v1/account')
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({ error: { code: 'rate_limited' } })
  })

  it('is logged with the key, and leaves no row in the activity of the account', async () => {
    const { key, keyId } = await setup()
    const edge = setupEdge()
    await edge.fetch('/v1/account', { headers: { authorization: `Bearer ${key}` } })
    expect(edge.recorded).toMatchObject([{ path: '/v1/account', status: 200, keyId, accountId: null }])
  })
})

describe('GET /v1/account/activity', () => {
  it('lists requests of this account alone', async () => {
    const { keyId, get, log } = await setup()
    const other = await setup()
    await Promise.all([log({ requestId: 'req_mine' }), other.log({ requestId: 'req_theirs' })])
    const { body } = await get('/activity')
    expect(body).toEqual({
      object: 'list',
      data: [
        {
          request_id: 'req_mine',
          key_id: keyId,
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          path: '/v1/decisions',
          status: 200,
          error_code: null,
          latency_ms: 41.5,
          model: 'decider-preview-2026-10-13',
          region: 'us',
          input_tokens: 120,
          cached_tokens: 20,
          question_count: 3,
          cost_usd: '0.0000104',
        },
      ],
      next_cursor: null,
    })
  })

  it('selects by each parameter, or by several', async () => {
    const { keyId, get, log } = await setup()
    const now = Date.now()
    await Promise.all([
      log({ requestId: 'req_old', at: now - 60_000, path: '/v1/calibrations', keyId: 'key_old' }),
      log({ requestId: 'req_new', at: now, status: 503, errorCode: 'engine_timeout' }),
    ])
    const [oldest, newest] = [now - 60_000, now].map(at => new Date(at).toISOString())
    const found = async (query: string) =>
      (await get(`/activity?${query}`)).body.data.map((row: { request_id: string }) => row.request_id)
    for (const query of ['request_id=req_old', 'key_id=key_old', 'path=/v1/calibrations', 'status=200'])
      expect([query, await found(query)]).toEqual([query, ['req_old']])
    for (const query of [`key_id=${keyId}`, 'path=/v1/decisions', 'status=5xx', 'error_code=engine_timeout'])
      expect([query, await found(query)]).toEqual([query, ['req_new']])
    expect(await found(`from=${oldest}&until=${newest}`)).toEqual(['req_old'])
    expect(await found(`from=${newest}`)).toEqual(['req_new'])
    expect(await found('status=5xx&key_id=key_old')).toEqual([])
  })

  it('shows no cost for a request that was not answered', async () => {
    const { get, log } = await setup()
    await log({ status: 503, errorCode: 'engine_timeout' })
    expect((await get('/activity')).body.data[0].cost_usd).toBe('0.00')
  })

  it('continues from page to page', async () => {
    const { get, log } = await setup()
    const now = Date.now()
    await Promise.all([1, 2, 3].map(i => log({ requestId: `req_${i}`, at: now - i })))
    const first = (await get('/activity?limit=2')).body
    const second = (await get(`/activity?limit=2&cursor=${first.next_cursor}`)).body
    expect([...first.data, ...second.data].map(row => row.request_id)).toEqual(['req_1', 'req_2', 'req_3'])
    expect(second.next_cursor).toBeNull()
  })

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['cursor=%00', 'cursor'],
    ['from=yesterday', 'from'],
    ['from=2026-02-31', 'from'],
    ['until=2027-02-29T12:00:00Z', 'until'],
    ['status=6xx', 'status'],
    ['color=red', 'color'],
    ['status=4xx&status=5xx', 'status'],
  ])('refuses ?%s and names the parameter', async (query, param) => {
    const { get } = await setup()
    const { status, body } = await get(`/activity?${query}`)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'invalid_schema', param })
  })

  it('takes the 29th of February of a leap year', async () => {
    const { get } = await setup()
    expect((await get('/activity?from=2028-02-29&until=2028-02-29T23:59Z')).status).toBe(200)
  })
})

describe('GET /v1/account/usage', () => {
  it('adds up today and shows every other day as zero', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { get, log } = await setup()
    await Promise.all([
      log({}),
      log({ status: 429, errorCode: 'rate_limited', inputTokens: 0, cachedTokens: 0 }),
    ])
    const { body } = await get('/usage')
    expect(body.data).toHaveLength(30)
    expect(body.data[0]).toEqual({
      day: new Date().toISOString().slice(0, 10),
      requests: 2,
      input_tokens: 120,
      cached_tokens: 20,
      cost_usd: '0.0000104',
      cost_nanodollars: 10_400,
      latency_ms: { p50: 41.5, p95: 41.5, p99: 41.5 },
      errors: { rate_limited: 1 },
    })
    expect(body.data[1]).toMatchObject({ requests: 0, latency_ms: null, errors: {} })
  })
})
