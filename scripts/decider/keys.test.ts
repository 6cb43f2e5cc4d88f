import { describe, expect, it } from 'vitest'
import { decider, serviceAnswering } from './testing.ts'

describe('a new key', () => {
  it('is alone on standard output', async () => {
    const { env, asked } = await serviceAnswering(201, { id: 'key_1', key: 'sk_decider_x' })
    const [kind, name, expires] = ['playground', 'server', '2027-01-31T00:00:00Z']
    const { out, err } = await decider(
      ['keys', 'create', 'acct/1', '--kind', kind, '--name', name, '--expires', expires],
      { env },
    )
    expect(out).toBe('sk_decider_x\n')
    expect(err).toContain('key_1')
    expect(asked[0]).toMatchObject({
      line: 'POST /admin/v1/accounts/acct%2F1/keys',
      body: JSON.stringify({ kind, name, expires_at: expires }),
    })
  })
})

describe('the keys of an account', () => {
  it('are listed with those that were revoked, when and why', async () => {
    const key = { kind: 'standard', name: null, hint: 'sk_decider_z', limits: {}, expires_at: null }
    const revoked = { revoked_at: '2026-11-21T00:00:00.000Z', revoked_because: 'leaked' }
    const data = [
      { ...key, id: 'key_2', revoked_at: null, revoked_because: null },
      { ...key, id: 'key_1', ...revoked },
    ]
    const { env } = await serviceAnswering(200, { data })
    const { out } = await decider(['keys', 'list', 'acct_1'], { env, isTerminal: false })
    expect(out.split('\n').map(line => line.split('\t').at(-1))).toEqual([
      '–',
      '2026-11-21T00:00:00.000Z (leaked)',
      '',
    ])
  })

  it('come page by page', async () => {
    const { env, asked } = await serviceAnswering(200, { data: [], next_cursor: '1.key_1' })
    const { err } = await decider(['keys', 'list', 'acct_1', '--limit', '2', '--cursor', '2.key_2'], { env })
    expect(asked[0]?.line).toBe('GET /admin/v1/accounts/acct_1/keys?limit=2&cursor=2.key_2')
    expect(err).toContain('--cursor 1.key_1')
  })
})

describe('the id of a key', () => {
  it('is enough to find whose key it is', async () => {
    const key = { id: 'key_1', name: 'server', limits: {}, account_id: 'acct_1', account_name: 'Ada' }
    const { env, asked } = await serviceAnswering(200, key)
    const { out } = await decider(['keys', 'show', 'key_1'], { env })
    expect(out).toMatch(/^account +acct_1\naccount name +Ada\nkey +key_1\n/)
    expect(asked[0]?.line).toBe('GET /admin/v1/keys/key_1')
  })

  it.each([
    ['keys', 'show'],
    ['activity', 'acct_1', '--key'],
  ])('is not the key itself, which must not be sent in an address: %s %s', async (...args) => {
    const key = 'sk_decider_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'
    const { env, asked } = await serviceAnswering(200, { data: [] })
    const { code, err } = await decider([...args, key], { env })
    expect({ code, err, asked }).toEqual({
      code: 2,
      err: 'That is a key, which is a secret. Give its id: key_…\n',
      asked: [],
    })
  })
})

describe('the rates of a key', () => {
  it.each([
    ['40', 'default', '{"requests_per_second":40,"tokens_per_minute":null}'],
    ['default', 'many', '{"requests_per_second":null,"tokens_per_minute":"many"}'],
  ])('are sent as numbers, or as none for the default: %s and %s', async (requests, tokens, body) => {
    const { env, asked } = await serviceAnswering(200, { id: 'key_1', limits: {} })
    await decider(['keys', 'set-rates', 'acct_1', 'key_1', '--requests', requests, '--tokens', tokens], {
      env,
    })
    expect(asked).toMatchObject([{ line: 'PUT /admin/v1/accounts/acct_1/keys/key_1/rates', body }])
  })
})
