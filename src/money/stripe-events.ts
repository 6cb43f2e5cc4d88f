import type { Stripe } from 'stripe'
import { NANODOLLARS_PER_CENT } from './nanodollars.ts'
import { writePayer } from './stripe-payments.ts'

/** What a Stripe event means for an account. */
export type PaymentEvent =
  | {
      kind: 'paid'
      accountId: string
      reference: string
      purpose: 'top_up' | 'auto_reload'
      nanodollars: number
      /** Who pays for reloads from now on. Null for a reload's own payment: its payer was chosen earlier. */
      payer: { id: string; paidAt: number } | null
    }
  /** A reload's payment failed, perhaps days after it was begun. */
  | { kind: 'failed'; accountId: string; reference: string }
  /** What happened to a charge later. Such an event does not say whose charge it was. */
  | { kind: 'charge_moved'; chargeId: string; because: 'refund' | 'dispute'; movements: Movement[] }
  | { kind: 'unrelated' }

type Movement = { reference: string; nanodollars: number }

/**
 * Stale: signed, but too long ago by our clock. Unreadable: signed, but not an event that holds what it is about. Stripe
 * calls those without it thin.
 */
type EventReading = { kind: 'bad_signature' } | { kind: 'stale' } | { kind: 'unreadable' } | PaymentEvent

/** Stripe signs an event anew each time it sends it, so only a wrong clock, or a copy of an event, is later. */
export const MAX_AGE_SECONDS = 300

/** Reads an event after checking that its signature over the body as sent is good and recent. */
export const readStripeEvent = async (
  body: string,
  signature: string,
  webhookSecret: string,
): Promise<EventReading> => {
  const { default: StripeClient } = await import('stripe')
  const crypto = StripeClient.createSubtleCryptoProvider()
  let event: Stripe.Event
  try {
    const { webhooks } = StripeClient
    event = await webhooks.constructEventAsync(body, signature, webhookSecret, MAX_AGE_SECONDS, crypto)
  } catch (error) {
    // The error would quote the body.
    const { type, message } = Object(error)
    if (type !== 'StripeSignatureVerificationError') return { kind: 'unreadable' }
    return { kind: message === 'Timestamp outside the tolerance zone' ? 'stale' : 'bad_signature' }
  }
  switch (event.type) {
    case 'payment_intent.succeeded':
      return paid(event.data.object)
    case 'payment_intent.payment_failed':
      return failed(event.data.object)
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refunded(event.data.object)
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return disputed(event.data.object)
    default:
      return { kind: 'unrelated' }
  }
}

const paid = (payment: Stripe.PaymentIntent): PaymentEvent => {
  const { account_id: accountId } = payment.metadata
  const purpose = payment.metadata.purpose === 'auto_reload' ? 'auto_reload' : 'top_up'
  if (accountId === undefined || payment.currency !== 'usd') return { kind: 'unrelated' }
  const { customer, payment_method: method } = payment
  return {
    kind: 'paid',
    accountId,
    reference: payment.id,
    purpose,
    nanodollars: payment.amount_received * NANODOLLARS_PER_CENT,
    payer:
      purpose === 'top_up' && customer && method
        ? { id: writePayer(idOf(customer), idOf(method)), paidAt: payment.created * 1_000 }
        : null,
  }
}

const failed = ({ id, metadata }: Stripe.PaymentIntent): PaymentEvent =>
  metadata.account_id !== undefined && metadata.purpose === 'auto_reload'
    ? { kind: 'failed', accountId: metadata.account_id, reference: id }
    : { kind: 'unrelated' }

/**
 * Booked under the refund's own id: Stripe may make two events of one change. Each event of a refund says all that has
 * become of it, so their order does not matter. If it came to nothing, the money is back with us:
 * https://docs.stripe.com/refunds#failed-refunds
 */
const refunded = ({ id, status, charge, currency, amount }: Stripe.Refund): PaymentEvent => {
  if (charge === null || currency !== 'usd') return { kind: 'unrelated' }
  const nanodollars = amount * NANODOLLARS_PER_CENT
  const movements = [{ reference: id, nanodollars: -nanodollars }]
  if (status === 'failed' || status === 'canceled') {
    movements.push({ reference: `${id}:returned`, nanodollars })
  }
  return { kind: 'charge_moved', chargeId: idOf(charge), because: 'refund', movements }
}

/** What is withdrawn and what is reinstated can differ, and each is its own transaction. We bear Stripe's fee. */
const disputed = ({ charge, balance_transactions: transactions }: Stripe.Dispute): PaymentEvent => ({
  kind: 'charge_moved',
  chargeId: idOf(charge),
  because: 'dispute',
  movements: transactions
    .filter(({ currency }) => currency === 'usd')
    .map(({ id, amount }) => ({ reference: id, nanodollars: amount * NANODOLLARS_PER_CENT })),
})

const idOf = (thing: string | { id: string }): string => (typeof thing === 'string' ? thing : thing.id)
