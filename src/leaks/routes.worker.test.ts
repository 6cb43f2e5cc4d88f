import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { Gate } from '../access/gate.ts'
import type { EdgeEnv } from '../http/visit.ts'
import { Account } from '../money/account.ts'
import { PROBLEMS, Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { gatesAway, openAccount } from '../testing/accounts.ts'
import type { PublicKeySource } from './github-keys.ts'
import { leakRoutes } from './routes.ts'

const github = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

const app = new Hono<EdgeEnv>()
  .use(async (c, next) => {
    const leakReporterKeys: PublicKeySource = async id =>
      id === 'k1'
        ? { kind: 'published', pem: github.publicKey }
        : { kind: id === 'k3' ? 'unheard' : 'unknown' }
    c.set('services', { leakReporterKeys } as Services)
    await next()
  })
  .route('/', leakRoutes)
  .onError((error, c) => {
    if (!(error instanceof Problem)) throw error
    return c.json({ code: error.code, message: error.message }, PROBLEMS[error.code].status)
  })

const report = async (body: string, { signed = body, identifier = 'k1' } = {}) => {
  const key = { key: github.privateKey, dsaEncoding: 'der' as const }
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64')
  const answer = await app.request(
    '/',
    {
      method: 'POST',
      headers: { 'github-public-key-identifier': identifier, 'github-public-key-signature': signature },
      body,
    },
    env,
  )
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
  return { status: answer.status, body: (await answer.json()) as any }
}

const setup = async () => {
  const { account, newKey } = await openAccount()
  const { key, gate } = await newKey()
  const match = { token: key, type: 'decider_api_key', url: 'https://github.com/x/y', source: 'commit' }
  return { account, key, match, admit: () => gate.admit(1) }
}

const isAway = () => {
  throw new Error('The Gate is away.')
}

const revokeSlowly = () => {
  const { revoke } = Gate.prototype
  vi.spyOn(Gate.prototype, 'revoke').mockImplementation(async function (this: Gate) {
    await new Promise(resolve => setTimeout(resolve, 100))
    revoke.call(this)
  })
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64')

describe('a report of leaked keys', () => {
  it('revokes our keys before it is answered, and says which were ours', async () => {
    const { account, key, match, admit } = await setup()
    const stranger = 'sk_decider_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'
    const { status, body } = await report(JSON.stringify([match, { ...match, token: stranger }]))
    expect(status).toBe(200)
    expect(body).toEqual([
      { token_hash: hashOf(key), token_type: 'decider_api_key', label: 'true_positive' },
      { token_hash: hashOf(stranger), token_type: 'decider_api_key', label: 'false_positive' },
    ])
    expect(await admit()).toEqual({ kind: 'invalid_api_key' })
    expect(await account.keys(1, null)).toMatchObject([{ revokedBecause: 'leaked' }])
  })

  it('that comes again gets the same answer', async () => {
    const { match } = await setup()
    const first = await report(JSON.stringify([match]))
    expect(await report(JSON.stringify([match]))).toEqual(first)
  })

  it('revokes a key that its account, restored to an earlier point in time, does not know', async () => {
    const { account, match, admit } = await setup()
    await runInDurableObject(account, (_, { storage }) => void storage.sql.exec('DELETE FROM keys'))
    const { body } = await report(JSON.stringify([match]))
    expect(body).toMatchObject([{ label: 'true_positive' }])
    expect(await admit()).toEqual({ kind: 'invalid_api_key' })
  })

  it('revokes a key even if its account cannot tell the Gate', async () => {
    const { match, admit } = await setup()
    const failing = gatesAway()
    const { body } = await report(JSON.stringify([match]))
    failing.mockRestore()
    expect(body).toMatchObject([{ label: 'true_positive' }])
    expect(await admit()).toEqual({ kind: 'invalid_api_key' })
  })

  it('revokes a key even if its account never answers', async () => {
    const { match, admit } = await setup()
    const hanging = vi.spyOn(Account.prototype, 'revokeKey').mockImplementation(() => new Promise(() => {}))
    void report(JSON.stringify([match])).catch(() => {})
    await vi.waitFor(() => expect(hanging).toHaveBeenCalledOnce())
    hanging.mockRestore()
    await vi.waitFor(async () => expect(await admit()).toEqual({ kind: 'invalid_api_key' }))
  })

  it('is not answered while the key may still work', async () => {
    const { account, match } = await setup()
    const failing = vi.spyOn(Gate.prototype, 'revoke').mockImplementation(isAway)
    await expect(report(JSON.stringify([match]))).rejects.toThrow('The Gate is away.')
    failing.mockRestore()
    expect(await account.keys(1, null)).toMatchObject([{ revokedBecause: 'leaked' }])
  })

  it('is not answered while the key may still work, even if its account is away', async () => {
    const { match, admit } = await setup()
    vi.spyOn(Account.prototype, 'revokeKey').mockImplementation(() => {
      throw new Error('The account is away.')
    })
    revokeSlowly()
    await expect(report(JSON.stringify([match]))).rejects.toThrow('The account is away.')
    expect(await admit()).toEqual({ kind: 'invalid_api_key' })
  })

  it('is not answered while any of its keys may still work, even if one of the Gates is away', async () => {
    const [away, other] = [await setup(), await setup()]
    vi.spyOn(Gate.prototype, 'owner').mockImplementationOnce(isAway)
    gatesAway()
    revokeSlowly()
    await expect(report(JSON.stringify([away.match, other.match]))).rejects.toThrow('The Gate is away.')
    expect(await other.admit()).toEqual({ kind: 'invalid_api_key' })
  })

  it.each([
    ['signed over another body', { signed: '[]' }],
    ['of an unknown key', { identifier: 'k2' }],
  ])('%s revokes nothing', async (_, more) => {
    const { match, admit } = await setup()
    expect((await report(JSON.stringify([match]), more)).status).toBe(401)
    expect(await admit()).toMatchObject({ kind: 'admitted' })
  })

  it('that cannot be checked because GitHub does not answer revokes nothing, and is not called a forgery', async () => {
    const { match, admit } = await setup()
    const { status, body } = await report(JSON.stringify([match]), { identifier: 'k3' })
    expect(status).toBe(500)
    expect(body.message).toContain('Send it again.')
    expect(await admit()).toMatchObject({ kind: 'admitted' })
  })

  it.each(['github-public-key-identifier', 'github-public-key-signature'])(
    'without %s is not read',
    async name => {
      const headers = new Headers({
        'github-public-key-identifier': 'k1',
        'github-public-key-signature': 'x',
      })
      headers.delete(name)
      const sent = new Request('https://decider.test/', { method: 'POST', headers, body: '[]' })
      expect((await app.request(sent, undefined, env)).status).toBe(401)
      expect(sent.bodyUsed).toBe(false)
    },
  )

  it('may be long, and name a key again and again: each is revoked, and each match is answered', async () => {
    const { match, admit } = await setup()
    const other = await setup()
    const owners = vi.spyOn(Gate.prototype, 'owner')
    const places = Array.from({ length: 1_500 }, (_, at) => ({ ...match, url: `https://github.com/x/${at}` }))
    const strangers = places.map(place => ({ ...place, token: 'sk_decider_EXAMPLE' }))
    const { status, body } = await report(JSON.stringify([...places, ...strangers, other.match]))
    expect(status).toBe(200)
    expect(body.map(({ label }: { label: string }) => label)).toEqual([
      ...places.map(() => 'true_positive'),
      ...strangers.map(() => 'false_positive'),
      'true_positive',
    ])
    expect(owners).toHaveBeenCalledTimes(2)
    for (const key of [admit, other.admit]) expect(await key()).toEqual({ kind: 'invalid_api_key' })
  })

  it.each(['', '{}', '[{}]', '[1]', 'null'])(
    'of the wrong form (%#) is refused without being quoted',
    async body => {
      const answer = await report(body)
      expect(answer.status).toBe(422)
      expect(answer.body.message).toBe('A report must be an array of matches.')
    },
  )
})

describe('a report that is too large', () => {
  it('is refused before it is read to the end', async () => {
    expect((await report(' '.repeat(4_000_001))).status).toBe(413)
  })
})
