import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { gatesAway } from '../testing/accounts.ts'
import { admit, call, entryOf, newAccount } from '../testing/admin-api.ts'

describe('POST /admin/v1/accounts/{id}/close', () => {
  const setup = async () => {
    const path = `/accounts/${await newAccount()}`
    await call('POST', `${path}/verify`)
    const { body } = await call('POST', `${path}/keys`)
    return { path, id: path.slice('/accounts/'.length), key: body.key as string }
  }

  it('revokes the keys at once, and says what is left', async () => {
    const { path, id, key } = await setup()
    let now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now++)
    const { status, body } = await call('POST', `${path}/close`)
    clock.mockRestore()
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
