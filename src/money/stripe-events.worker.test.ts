import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import edge from '../index.ts'
import { balanceOf, openAccount } from '../testing/accounts.ts'
import { call } from '../testing/admin-api.ts'
import { linesOf } from '../testing/log.ts'
import { localPayments } from './local-payments.ts'
import { MAX_BALANCE } from './nanodollars.ts'

const sign = (body: string, { secret = env.STRIPE_WEBHOOK_SECRET ?? '', at = Date.now() } = {}): string => {
  const seconds = Math.floor(at / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

const post = (body: string, signature = sign(body), settings: Env = env) => {
  const headers = { 'stripe-signature': signature }
  const sent = new Request('https://decider.test/webhooks/stripe', { method: 'POST', headers, body })
  return edge.fetch(sent, settings, createExecutionContext())
}

const event = (type: string, object: object) =>
  JSON.stringify({ id: `evt_${crypto.randomUUID()}`, object: 'event', type, data: { object } })

/** Any charge that Stripe is asked about was paid for the account. */
const setup = async () => {
  const { id, account } = await openAccount({ verified: false })
  const accountOf = vi.spyOn(localPayments, 'accountOf').mockResolvedValue(id)
  const paid = (more: object = {}) =>
    event('payment_intent.succeeded', {
      id: `pi_${id}`,
      created: 1_795_000_000,
      currency: 'usd',
      amount_received: 2_000,
      customer: 'cus_1',
      payment_method: 'pm_1',
      metadata: { account_id: id, purpose: 'top_up' },
      ...more,
    })
  return { id, account, accountOf, paid, balance: () => balanceOf(account) }
}

describe('a Stripe event', () => {
  it('credits a payment once, however often it is sent, also as another event', async () => {
    const { paid, balance } = await setup()
    const body = paid()
    for (const sent of [body, body, paid()]) expect((await post(sent)).status).toBe(200)
    expect(await balance()).toBe(20_000_000_000)
  })

  it('is accepted while the secret is rolled, when Stripe signs with the old one as well', async () => {
    const { paid, balance } = await setup()
    const body = paid()
    const now = Date.now()
    const [, ours] = sign(body, { at: now }).split(',')
    const theirs = sign(body, { secret: 'another', at: now })
    expect((await post(body, `${theirs},${ours}`)).status).toBe(200)
    expect(await balance()).toBe(20_000_000_000)
  })

  describe('about what the operator has already booked by hand', () => {
    const bookByHand = async (id: string, booking: 'top-up' | 'deduct', reference: string) => {
      const { body } = await call('POST', `/accounts/${id}/${booking}`, { amount_usd: '20.00', reference })
      expect(body).toMatchObject(booking === 'deduct' ? { deducted: true } : { credited: true })
    }

    it('changes nothing if that was a payment, under its id', async () => {
      const { id, paid, balance } = await setup()
      await bookByHand(id, 'top-up', `pi_${id}`)
      expect((await post(paid())).status).toBe(200)
      expect(await balance()).toBe(20_000_000_000)
    })

    it.each(['re_1', 'pyr_1'])('changes nothing if that was the refund %s, under its id', async refund => {
      const { id, paid, balance } = await setup()
      await post(paid())
      await bookByHand(id, 'deduct', refund)
      // Stripe reports a refund again once the bank's reference of it is known, days later.
      const body = { id: refund, status: 'succeeded', amount: 2_000, currency: 'usd', charge: 'ch_1' }
      expect((await post(event('refund.updated', body))).status).toBe(200)
      expect(await balance()).toBe(0)
    })

    it('books only what a dispute gave back if that was what it took', async () => {
      const { id, paid, balance } = await setup()
      await post(paid())
      await bookByHand(id, 'deduct', `txn_1_${id}`)
      const balance_transactions = [
        { id: `txn_1_${id}`, amount: -2_000, currency: 'usd' },
        { id: `txn_2_${id}`, amount: 2_000, currency: 'usd' },
      ]
      const won = { id: 'dp_1', charge: 'ch_1', amount: 2_000, balance_transactions }
      expect((await post(event('charge.dispute.funds_reinstated', won))).status).toBe(200)
      expect(await balance()).toBe(20_000_000_000)
    })
  })

  it('is not treated as booked if the balance has no room for it: it is sent again', async () => {
    const { account, paid, balance } = await setup()
    await account.credit('top_up:1', 'top_up', MAX_BALANCE)
    expect((await post(paid())).status).toBe(422)
    await account.credit('refund:1', 'refund', -20_000_000_000)
    expect((await post(paid())).status).toBe(200)
    expect(await balance()).toBe(MAX_BALANCE)
  })

  describe('about a refund', () => {
    const refunded = (type: string, id: string, status: string, amount: number) =>
      event(`refund.${type}`, { id, status, amount, currency: 'usd', charge: 'ch_1', metadata: {} })

    it('deducts each part once, in any order, also if Stripe makes two events of one refund', async () => {
      const { paid, balance, accountOf } = await setup()
      await post(paid())
      for (const [refund, amount] of [
        ['re_2', 300],
        ['re_1', 500],
        ['re_2', 300],
        ['re_1', 500],
      ] as const)
        expect((await post(refunded('created', refund, 'succeeded', amount))).status).toBe(200)
      await post(refunded('updated', 're_1', 'succeeded', 500))
      expect(await balance()).toBe(12_000_000_000)
      expect(accountOf).toHaveBeenCalledWith('ch_1')
    })

    it.each([
      ['failed', 'failed'],
      ['updated', 'failed'],
      ['updated', 'canceled'],
    ])(
      'gives back what it took if refund.%s says %s, once, and deducts the next one',
      async (type, status) => {
        const { paid, balance } = await setup()
        await post(paid())
        await post(refunded('created', 're_1', 'pending', 500))
        expect(await balance()).toBe(15_000_000_000)
        for (let times = 0; times < 2; times++) {
          await post(refunded(type, 're_1', status, 500))
          await post(refunded('created', 're_1', 'pending', 500))
          expect(await balance()).toBe(20_000_000_000)
        }
        await post(refunded('created', 're_2', 'succeeded', 500))
        expect(await balance()).toBe(15_000_000_000)
      },
    )

    it('of a charge that is not ours is accepted and changes nothing', async () => {
      const { paid, balance, accountOf } = await setup()
      accountOf.mockResolvedValue(null)
      await post(paid())
      expect((await post(refunded('created', 're_1', 'succeeded', 500))).status).toBe(200)
      expect(accountOf).toHaveBeenCalledOnce()
      expect(await balance()).toBe(20_000_000_000)
    })

    it('is not treated as booked while nobody can be asked whose charge it was: it is sent again', async () => {
      const { paid, balance } = await setup()
      await post(paid())
      const body = refunded('created', 're_1', 'succeeded', 500)
      expect((await post(body, sign(body), { ...env, PAYMENTS: '' })).status).toBe(500)
      expect(await balance()).toBe(20_000_000_000)
    })

    it('changes nothing in the end if its failure is all that is heard, or is heard first', async () => {
      const { account, paid, balance } = await setup()
      await post(paid())
      await account.setAutoReload({ threshold: 20_000_000_000, amount: 20_000_000_000 })
      for (const type of ['failed', 'created']) {
        await post(refunded(type, 're_1', type === 'failed' ? 'failed' : 'pending', 500))
        expect(await balance()).toBe(20_000_000_000)
      }
      expect(await account.summary()).toMatchObject({ lastReload: null })
      const credits = (await account.credits(10, null)) ?? []
      expect(credits.map(({ reference, nanodollars }) => [reference, nanodollars])).toEqual(
        expect.arrayContaining([
          ['refund:re_1', -5_000_000_000],
          ['refund:re_1:returned', 5_000_000_000],
        ]),
      )
    })
  })

  it('about a reload that failed days later says so of that reload, and of no other payment', async () => {
    const { id, account } = await setup()
    vi.spyOn(localPayments, 'chargeAgain').mockResolvedValue({ kind: 'pending', reference: `pi_${id}` })
    await account.setAutoReload({ threshold: 1_000_000_000, amount: 20_000_000_000 })
    const failed = (purpose: string) =>
      event('payment_intent.payment_failed', { id: `pi_${id}`, metadata: { account_id: id, purpose } })
    for (const [purpose, outcome] of [
      ['top_up', 'pending'],
      ['auto_reload', 'declined'],
    ] as const) {
      expect((await post(failed(purpose))).status).toBe(200)
      expect(await account.summary()).toMatchObject({ lastReload: { outcome } })
    }
  })

  it('deducts what a dispute withdrew, and gives back what was reinstated, once each', async () => {
    const { id, paid, balance } = await setup()
    await post(paid())
    const withdrawn = { id: `txn_1_${id}`, amount: -2_000, currency: 'usd' }
    const reinstated = { id: `txn_2_${id}`, amount: 1_500, currency: 'usd' }
    const dispute = (type: string, balance_transactions: object[]) =>
      event(`charge.dispute.${type}`, { id: 'dp_1', charge: `ch_${id}`, amount: 2_000, balance_transactions })
    const lost = dispute('funds_withdrawn', [withdrawn])
    for (const body of [lost, lost]) await post(body)
    expect(await balance()).toBe(0)
    for (const body of [dispute('funds_reinstated', [withdrawn, reinstated]), lost]) await post(body)
    expect(await balance()).toBe(15_000_000_000)
  })

  it('about a dispute of which only the end is heard does not make the balance look low', async () => {
    const { id, account, paid, balance } = await setup()
    await post(paid())
    await account.setAutoReload({ threshold: 10_000_000_000, amount: 20_000_000_000 })
    const balance_transactions = [-2_000, 2_000].map(amount => ({
      id: `txn_${amount}_${id}`,
      amount,
      currency: 'usd',
    }))
    const won = { id: 'dp_1', charge: `ch_${id}`, amount: 2_000, balance_transactions }
    await post(event('charge.dispute.funds_reinstated', won))
    expect(await account.summary()).toMatchObject({ lastReload: null })
    expect(await balance()).toBe(20_000_000_000)
  })

  it('makes the card of the latest manual payment pay for reloads, whatever the order of the events', async () => {
    const { id, account, paid } = await setup()
    const payer = () =>
      runInDurableObject(account, (_, { storage }) => storage.kv.get<{ payer: string }>('profile')?.payer)
    const first = paid({ id: `pi_1_${id}`, created: 1_795_000_000, payment_method: 'pm_old' })
    const second = paid({ id: `pi_2_${id}`, created: 1_795_000_060, payment_method: 'pm_new' })
    const metadata = { account_id: id, purpose: 'auto_reload' }
    const reload = paid({ id: `pi_3_${id}`, created: 1_795_000_120, payment_method: 'pm_old', metadata })
    await post(first)
    expect(await payer()).toBe('cus_1:pm_old')
    for (const body of [second, first, reload]) {
      await post(body)
      expect(await payer()).toBe('cus_1:pm_new')
    }
  })

  it.each([{ customer: null }, { payment_method: null }])(
    'credits a payment that leaves nobody to charge again: %j',
    async more => {
      const { account, paid, balance } = await setup()
      expect((await post(paid(more))).status).toBe(200)
      expect(await balance()).toBe(20_000_000_000)
      const details = await runInDurableObject(account, (_, { storage }) => storage.kv.get('profile'))
      expect(details).toMatchObject({ payer: null })
    },
  )

  const refund = { id: 're_1', status: 'succeeded', charge: 'ch_1', currency: 'usd', amount: 500 }
  const movement = { id: 'txn_1', amount: -500, currency: 'eur' }
  it.each<[string, string, object]>([
    ['another currency', 'refund.created', { ...refund, currency: 'eur' }],
    ['no charge', 'refund.created', { ...refund, charge: null }],
    ['a sum that the refund tells, too', 'charge.refunded', { id: 'ch_1', amount_refunded: 500 }],
    [
      'another currency',
      'charge.dispute.funds_withdrawn',
      { charge: 'ch_1', balance_transactions: [movement] },
    ],
    ['something else', 'customer.updated', {}],
  ])('of %s (%s) is accepted and changes nothing', async (_, type, object) => {
    const { paid, balance } = await setup()
    await post(paid())
    expect((await post(event(type, object))).status).toBe(200)
    expect(await balance()).toBe(20_000_000_000)
  })

  it.each([
    ['of another currency', { currency: 'eur' }],
    ['of no account', { metadata: {} }],
    ['of an invalid account', { metadata: { account_id: '../x' } }],
  ])('%s is accepted, changes nothing and is no fault', async (_, more) => {
    const { paid, balance } = await setup()
    const faults = linesOf('error')
    expect((await post(paid(more))).status).toBe(200)
    expect(await balance()).toBe(0)
    expect(faults()).toEqual([])
  })

  it('of an account that does not exist here is accepted, and a line says that nothing was booked', async () => {
    const { paid } = await setup()
    const metadata = { account_id: 'acct_000000000000000000000000', purpose: 'top_up' }
    const faults = linesOf('error')
    expect((await post(paid({ metadata }))).status).toBe(200)
    expect(faults()).toEqual([{ kind: 'not_booked', account_id: metadata.account_id }])
    const failed = { id: 'pi_1', metadata: { ...metadata, purpose: 'auto_reload' } }
    expect((await post(event('payment_intent.payment_failed', failed))).status).toBe(200)
    expect(faults()).toHaveLength(1)
  })

  const tenMinutesAgo = Date.now() - 600_000
  it.each([
    ['not signed', 'signature', () => ''],
    ['signed with another secret', 'signature', (body: string) => sign(body, { secret: 'whsec_other' })],
    [
      'signed with another secret, long ago',
      'signature',
      (body: string) => sign(body, { secret: 'whsec_other', at: tenMinutesAgo }),
    ],
    ['signed over another body', 'signature', (body: string) => sign(`${body} `)],
    ['signed ten minutes ago', 'clock', (body: string) => sign(body, { at: tenMinutesAgo })],
  ])('that is %s is refused for its %s', async (_, why, signature) => {
    const { paid, balance } = await setup()
    const body = paid()
    const answer = await post(body, signature(body))
    expect(answer.status).toBe(422)
    const text = await answer.text()
    expect(text).toContain(why === 'clock' ? 'the clock of this service' : 'The signature of the event')
    expect(text).not.toContain('pi_')
    expect(await balance()).toBe(0)
  })

  it.each([
    ['thin', JSON.stringify({ id: 'evt_1', object: 'v2.core.event', type: 'v1.payment_intent.succeeded' })],
    ['no JSON', 'pi_'],
  ])('that is signed but %s is refused for what it is, not for its signature', async (_, body) => {
    const answer = await post(body)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      error: { param: 'body', message: expect.stringContaining('snapshot') },
    })
  })

  it('without a signature is not read', async () => {
    const sent = new Request('https://decider.test/webhooks/stripe', { method: 'POST', body: '{}' })
    expect((await edge.fetch(sent, env, createExecutionContext())).status).toBe(422)
    expect(sent.bodyUsed).toBe(false)
  })
})
