import { describe, expect, it, vi } from 'vitest'
import { localPayments } from '../money/local-payments.ts'
import { admit, call, newAccount } from '../testing/admin-api.ts'

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

  it.each(['0', '-5', '01', '1e3', 'five', 5])('refuses the amount %j', async amount_usd => {
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

describe.each([
  ['top-up', '2000000.00'],
  ['deduct', '-2000000.00'],
])('POST /admin/v1/accounts/{id}/%s', (booking, limit) => {
  it(`refuses what would take the balance beyond ${limit} dollars, and books nothing of it`, async () => {
    const path = `/accounts/${await newAccount()}`
    for (const reference of ['1', '2']) {
      await call('POST', `${path}/${booking}`, { amount_usd: '1000000.00', reference })
    }
    const { status, body } = await call('POST', `${path}/${booking}`, { amount_usd: '0.01', reference: '3' })
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      param: 'amount_usd',
      message: 'amount_usd would take the balance above 2000000 or below -2000000.',
    })
    expect((await call('GET', path)).body.balance_usd).toBe(limit)
  })

  it('refuses a reference that was used for another amount, and books nothing', async () => {
    const path = `/accounts/${await newAccount()}`
    const book = (amount_usd: string) => call('POST', `${path}/${booking}`, { amount_usd, reference: 'r 1' })
    await book('5.00')
    const { status, body } = await book('6.00')
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      param: 'reference',
      message: 'reference was used before, for another amount.',
    })
    expect((await call('GET', path)).body.balance_usd).toMatch(/^-?5\.00$/)
    expect((await book('5.00')).status).toBe(200)
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

describe('PUT /admin/v1/accounts/{id}/auto-reload', () => {
  // The threshold may be less than any payment.
  const settings = { threshold_usd: '0.01', amount_usd: '20.00' }

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
  it.each(['0.50', '999999.99'])('answers with the address of a page to pay %s on', async amount_usd => {
    const order = { amount_usd, return_url: 'https://example.com/thanks' }
    const { status, body } = await call('POST', `/accounts/${await newAccount()}/checkout`, order)
    expect(status).toBe(201)
    expect(body.url).toBe('https://example.com/thanks')
  })

  it.each(['http://localhost:3000', 'HTTPS://münchen.example/danke?session={CHECKOUT_SESSION_ID}'])(
    'returns to %s, as it was sent',
    async return_url => {
      const order = { amount_usd: '25.00', return_url }
      const { body } = await call('POST', `/accounts/${await newAccount()}/checkout`, order)
      expect(body.url).toBe(return_url)
    },
  )

  const HOST = 'https://example.com'
  const ODD = [`${HOST}/my thanks`, `${HOST} `, `${HOST}\n`, `${HOST}/\u0000`]
  const NOWHERE = ['https:///thanks', 'https://:443', 'http:thanks', 'thanks', '']

  it.each(['javascript://example.com/%0aalert(1)', ...ODD, ...NOWHERE])(
    'refuses to return to %j',
    async return_url => {
      const { status, body } = await call('POST', `/accounts/${await newAccount()}/checkout`, {
        amount_usd: '25.00',
        return_url,
      })
      expect(status).toBe(422)
      expect(body.error).toMatchObject({ param: 'return_url', message: 'return_url must be a web address.' })
    },
  )
})

describe('a payment page that Stripe refuses to open', () => {
  it('is not our fault, and the operator hears where to look', async () => {
    vi.spyOn(localPayments, 'openCheckout').mockResolvedValue({ kind: 'refused' })
    const order = { amount_usd: '25.00', return_url: 'http://example.com/thanks' }
    const { status, body } = await call('POST', `/accounts/${await newAccount()}/checkout`, order)
    expect(status).toBe(422)
    expect(body.error.message).toContain('Its log of requests says why.')
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
