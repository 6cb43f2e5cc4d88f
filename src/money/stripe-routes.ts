import { Hono } from 'hono'
import { reportFault } from '../fault.ts'
import { arriving } from '../http/bytes.ts'
import { nothingHere } from '../http/nothing-here.ts'
import { Problem } from '../problem.ts'
import { isAccountId } from './account-id.ts'
import { paymentsOf } from './configured-payments.ts'
import type { CreditKind } from './ledger.ts'
import { creditReference } from './payments.ts'
import { MAX_AGE_SECONDS, type PaymentEvent, readStripeEvent } from './stripe-events.ts'

const MAX_EVENT_BYTES = 1_000_000

/** Where Stripe reports payments, refunds and disputes. Off unless STRIPE_WEBHOOK_SECRET is set. */
export const stripeRoutes = new Hono<{ Bindings: Env }>().post('/', async c => {
  const secret = c.env.STRIPE_WEBHOOK_SECRET
  if (!secret) throw nothingHere()
  const signature = c.req.header('stripe-signature')
  // Before a stranger's body is kept.
  if (!signature) throw notSigned()
  const body = new TextDecoder().decode(await arriving(c.req.raw, MAX_EVENT_BYTES))
  const event = await readStripeEvent(body, signature, secret)
  if (event.kind === 'bad_signature') throw notSigned()
  if (event.kind === 'stale') {
    const rule = `The event was signed more than ${MAX_AGE_SECONDS} seconds ago by the clock of this service: that is ahead, or the event is a copy.`
    throw new Problem('invalid_schema', rule, { param: 'stripe-signature' })
  }
  if (event.kind === 'unreadable') {
    const rule = 'The event must hold its object: its payload style must be snapshot.'
    throw new Problem('invalid_schema', rule, { param: 'body' })
  }
  await book(event, c.env)
  // Stripe resends for days whatever is not answered with success, so events that do not concern us succeed too.
  return c.json({ received: true })
})

const notSigned = () =>
  new Problem('invalid_schema', 'The signature of the event is not valid.', { param: 'stripe-signature' })

const book = async (event: PaymentEvent, env: Env): Promise<void> => {
  if (event.kind === 'unrelated') return
  const id = event.kind === 'charge_moved' ? await accountOf(event.chargeId, env) : event.accountId
  if (!isAccountId(id)) return
  const account = env.ACCOUNT.getByName(id)
  // Before it is reported that the account does not exist: no money is lost with it.
  if (event.kind === 'failed') return account.paymentFailed(creditReference(event.reference))
  if ((await account.summary()) === null) return reportFault({ kind: 'not_booked', account_id: id })
  const credit = async (reference: string, kind: CreditKind, nanodollars: number) => {
    // Stripe resends it for days, in which the operator can make room or pay it back; a 200 would lose it.
    if ((await account.credit(reference, kind, nanodollars)) === 'too_much') {
      throw new Problem('invalid_schema', 'The booking would take the balance beyond its limits.')
    }
  }
  switch (event.kind) {
    case 'paid':
      if (event.payer !== null) await account.rememberPayer(event.payer.id, event.payer.paidAt)
      return credit(creditReference(event.reference), event.purpose, event.nanodollars)
    case 'charge_moved': {
      // What came back goes first: if only the end is heard, the balance must not look low in between.
      const gainsFirst = event.movements.toSorted((a, b) => b.nanodollars - a.nanodollars)
      for (const { reference, nanodollars } of gainsFirst) {
        await credit(`${event.because}:${reference}`, event.because, nanodollars)
      }
    }
  }
}

const accountOf = async (chargeId: string, env: Env): Promise<string> => {
  const payments = paymentsOf(env)
  if (payments === null)
    throw new Problem(
      'internal_error',
      'Only Stripe can say which account this charge belongs to, and payments are not configured.',
    )
  return (await payments.accountOf(chargeId)) ?? ''
}
