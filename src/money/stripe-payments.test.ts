import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serverOf } from '../testing/server.ts'
import { stripePayments, writePayer } from './stripe-payments.ts'

afterEach(() => {
  vi.useRealTimers()
})

const order = {
  accountId: 'acct_1',
  nanodollars: 20_000_000_000,
  payer: writePayer('cus_1', 'pm_1'),
  idempotencyKey: 'reload_1',
}

/** Listens where Stripe would, so that what goes over the wire is what the package really sends. */
const stripeAnswering = async (status: number | 'never', body: object = {}) => {
  const requests: { path: string; headers: NodeJS.Dict<string | string[]>; form: URLSearchParams }[] = []
  const url = await serverOf(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    requests.push({ path: request.url ?? '', headers: request.headers, form })
    if (status !== 'never')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const { hostname: host, port } = new URL(url)
  const address = { host, port: Number(port), protocol: 'http' } as const
  return { requests, payments: stripePayments('sk_test_1', address) }
}

const paymentIntent = (status: string) => ({ id: 'pi_1', object: 'payment_intent', status })

describe('charging a remembered payer through Stripe', () => {
  it('asks for the amount in cents, under the idempotency key', async () => {
    const { payments, requests } = await stripeAnswering(200, paymentIntent('succeeded'))
    expect(await payments.chargeAgain(order)).toEqual({ kind: 'paid', reference: 'pi_1' })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.path).toBe('/v1/payment_intents')
    expect(requests[0]?.headers['idempotency-key']).toBe('reload_1')
    expect(Object.fromEntries(requests[0]?.form ?? [])).toMatchObject({
      amount: '2000',
      currency: 'usd',
      customer: 'cus_1',
      payment_method: 'pm_1',
      off_session: 'true',
      confirm: 'true',
      'metadata[account_id]': 'acct_1',
      'metadata[purpose]': 'auto_reload',
    })
  })

  it.each([
    ['processing', { kind: 'pending', reference: 'pi_1' }],
    ['requires_action', { kind: 'declined' }],
    ['canceled', { kind: 'declined' }],
  ])('a payment that is %s is %j', async (status, outcome) => {
    const { payments } = await stripeAnswering(200, paymentIntent(status))
    expect(await payments.chargeAgain(order)).toEqual(outcome)
  })

  it.each([
    [402, 'card_error'],
    [400, 'invalid_request_error'],
  ])('a refusal (%i %s) is declined', async (status, type) => {
    const { payments } = await stripeAnswering(status, { error: { type, message: 'No.' } })
    expect(await payments.chargeAgain(order)).toEqual({ kind: 'declined' })
  })

  it('needs a payer: nobody is asked without one', async () => {
    const { payments, requests } = await stripeAnswering(200, paymentIntent('succeeded'))
    expect([payments.canCharge(null), payments.canCharge(order.payer)]).toEqual([false, true])
    expect(await payments.chargeAgain({ ...order, payer: null })).toEqual({ kind: 'declined' })
    expect(requests).toHaveLength(0)
  })

  it.each([
    [500, 'StripeAPIError'],
    [429, 'StripeRateLimitError'],
    [401, 'StripeAuthenticationError'],
  ])('an answer of %i leaves the outcome unknown, is not retried, and is a %s', async (status, name) => {
    const { payments, requests } = await stripeAnswering(status, { error: { type: 'api_error' } })
    await expect(payments.chargeAgain(order)).rejects.toMatchObject({ name })
    expect(requests).toHaveLength(1)
  })

  it('leaves the outcome unknown if there is no answer within 20 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { payments, requests } = await stripeAnswering('never')
    const charging = expect(payments.chargeAgain(order)).rejects.toMatchObject({
      name: 'StripeConnectionError',
    })
    await vi.waitUntil(() => requests.length > 0)
    vi.advanceTimersByTime(20_000)
    await charging
  })
})

describe('opening a checkout', () => {
  const checkout = { accountId: 'acct_1', nanodollars: 5_000_000_000, returnUrl: 'https://me.example' }

  it('attaches the account to the payment, and keeps the card for reloads', async () => {
    const { payments, requests } = await stripeAnswering(200, { id: 'cs_1', url: 'https://pay.example/1' })
    expect(await payments.openCheckout(checkout)).toEqual({ kind: 'open', url: 'https://pay.example/1' })
    expect(requests[0]?.path).toBe('/v1/checkout/sessions')
    expect(Object.fromEntries(requests[0]?.form ?? [])).toMatchObject({
      mode: 'payment',
      customer_creation: 'always',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '500',
      'line_items[0][price_data][product_data][name]': 'Decider credit',
      'payment_intent_data[setup_future_usage]': 'off_session',
      'payment_intent_data[metadata][account_id]': 'acct_1',
      success_url: 'https://me.example',
    })
  })

  it('is refused if Stripe refuses the order, such as an address that is not encrypted', async () => {
    const error = {
      type: 'invalid_request_error',
      message: 'Livemode requests must always be redirected via HTTPS.',
    }
    const { payments } = await stripeAnswering(400, { error })
    const unencrypted = { ...checkout, returnUrl: 'http://me.example' }
    expect(await payments.openCheckout(unencrypted)).toEqual({ kind: 'refused' })
  })

  it('fails by the name of what Stripe refuses, which the log has', async () => {
    const { payments } = await stripeAnswering(401, { error: { type: 'invalid_request_error' } })
    await expect(payments.openCheckout(checkout)).rejects.toMatchObject({ name: 'StripeAuthenticationError' })
  })

  it('fails if Stripe names no page for it', async () => {
    const { payments } = await stripeAnswering(200, { id: 'cs_1', url: null })
    await expect(payments.openCheckout(checkout)).rejects.toThrow('without a page')
  })
})

describe('asking whose charge it was', () => {
  it.each([
    [{ account_id: 'acct_1' }, 'acct_1'],
    [{}, null],
  ])('with the metadata %j is answered %s', async (metadata, account) => {
    const { payments, requests } = await stripeAnswering(200, { id: 'ch_1', object: 'charge', metadata })
    expect(await payments.accountOf('ch_1')).toBe(account)
    expect(requests[0]?.path).toBe('/v1/charges/ch_1')
  })

  it('fails by the name of what Stripe refuses, which the log has', async () => {
    const { payments } = await stripeAnswering(403, { error: { type: 'invalid_request_error' } })
    await expect(payments.accountOf('ch_1')).rejects.toMatchObject({ name: 'StripePermissionError' })
  })
})
