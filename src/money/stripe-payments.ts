import type { Stripe } from 'stripe'
import { NANODOLLARS_PER_CENT } from './nanodollars.ts'
import type { Payments } from './payments.ts'

const TIMEOUT_MS = 20_000

type Address = { host?: string; port?: number; protocol?: 'http' | 'https' }

/** Payments through Stripe; a payer is a customer and the payment method they left. */
export const stripePayments = (secretKey: string, address: Address = {}): Payments => {
  const asking = askingStripe(secretKey, address)
  return {
    canCharge: payer => payer !== null,

    chargeAgain: async ({ accountId, nanodollars, payer, idempotencyKey }) => {
      if (payer === null) return { kind: 'declined' }
      const { customer, paymentMethod } = readPayer(payer)
      const order = {
        amount: nanodollars / NANODOLLARS_PER_CENT,
        currency: 'usd',
        customer,
        payment_method: paymentMethod,
        off_session: true,
        confirm: true,
        metadata: { account_id: accountId, purpose: 'auto_reload' },
      }
      try {
        const payment = await asking(stripe => stripe.paymentIntents.create(order, { idempotencyKey }))
        if (payment.status === 'succeeded') return { kind: 'paid', reference: payment.id }
        if (payment.status === 'processing') return { kind: 'pending', reference: payment.id }
        return { kind: 'declined' }
      } catch (error) {
        if (isFinal(error)) return { kind: 'declined' }
        throw error
      }
    },

    openCheckout: async ({ accountId, nanodollars, returnUrl }) => {
      const metadata = { account_id: accountId, purpose: 'top_up' }
      const order: Stripe.Checkout.SessionCreateParams = {
        mode: 'payment',
        customer_creation: 'always',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              unit_amount: nanodollars / NANODOLLARS_PER_CENT,
              product_data: { name: 'Decider credit' },
            },
          },
        ],
        // Stores the card with the customer, for reloads when nobody is there to enter it.
        payment_intent_data: { setup_future_usage: 'off_session', metadata },
        metadata,
        success_url: returnUrl,
      }
      try {
        const { url } = await asking(stripe => stripe.checkout.sessions.create(order))
        if (url === null) throw new Error('Stripe created a checkout session without a page.')
        return { kind: 'open', url }
      } catch (error) {
        if (isInvalid(error)) return { kind: 'refused' }
        throw error
      }
    },

    accountOf: async chargeId => {
      const { metadata } = await asking(stripe => stripe.charges.retrieve(chargeId))
      return metadata.account_id ?? null
    },
  }
}

/**
 * What a restricted key must be allowed to do, each with a request that Stripe refuses in any case: nothing comes of it
 * but an answer that tells whether the key lacks the permission.
 */
export const stripeTrials = (secretKey: string): { needs: string; ask: () => Promise<unknown> }[] => {
  const asking = askingStripe(secretKey, {})
  return [
    {
      needs: 'read charges, as refunds and disputes need',
      ask: () => asking(stripe => stripe.charges.retrieve('doctor')),
    },
    {
      needs: 'write PaymentIntents, as automatic reloads need',
      ask: () => asking(stripe => stripe.paymentIntents.create({ amount: 0, currency: 'usd' })),
    },
    {
      needs: 'write Checkout Sessions, as payment pages need',
      ask: () => asking(stripe => stripe.checkout.sessions.create({ mode: 'payment' })),
    },
  ]
}

type Asking = <Answer>(ask: (stripe: Stripe) => Promise<Answer>) => Promise<Answer>

const askingStripe =
  (secretKey: string, address: Address): Asking =>
  async ask => {
    // Large and rarely needed: a Worker that only decides should not load it.
    const { default: StripeClient } = await import('stripe')
    const stripe = new StripeClient(secretKey, {
      ...address,
      httpClient: StripeClient.createFetchHttpClient(),
      timeout: TIMEOUT_MS,
      // The account retries, under the same idempotency key, for longer than a request could wait.
      maxNetworkRetries: 0,
      telemetry: false,
    })
    return ask(stripe).catch(error => {
      throw named(error)
    })
  }

/** The card was refused, or the customer or method is gone: asking again would not change the answer. */
const isFinal = (error: unknown): boolean => Object(error).type === 'StripeCardError' || isInvalid(error)

const isInvalid = (error: unknown): boolean => Object(error).type === 'StripeInvalidRequestError'

/** Stripe's errors are all called Error, but the operator must learn whether the key or the line is at fault. */
const named = (error: unknown): unknown => {
  const { type } = Object(error)
  return typeof type === 'string' ? Object.assign(Object(error), { name: type }) : error
}

export const writePayer = (customer: string, paymentMethod: string): string => `${customer}:${paymentMethod}`

const readPayer = (payer: string): { customer: string; paymentMethod: string } => {
  const [customer = '', paymentMethod = ''] = payer.split(':')
  return { customer, paymentMethod }
}
