import { Hono } from 'hono'
import { readAtMost } from '../http/checked-input.ts'
import { Problem } from '../problem.ts'
import { isAccountId } from './account-id.ts'
import { readStripeEvent } from './stripe-events.ts'

const MAX_EVENT_BYTES = 1_000_000

/** Where Stripe tells of payments and refunds. Off unless STRIPE_WEBHOOK_SECRET is set. */
export const stripeRoutes = new Hono<{ Bindings: Env }>().post('/', async c => {
  const secret = c.env.STRIPE_WEBHOOK_SECRET
  if (!secret) throw new Problem('not_found', 'There is nothing at this path.')
  const body = new TextDecoder().decode(await readAtMost(c, MAX_EVENT_BYTES))
  const event = await readStripeEvent(body, c.req.header('stripe-signature') ?? '', secret)
  if (event.kind === 'bad_signature') {
    throw new Problem('invalid_schema', 'The signature of the event does not hold.', {
      param: 'stripe-signature',
    })
  }
  if (event.kind !== 'unrelated' && isAccountId(event.accountId)) {
    const account = c.env.ACCOUNT.getByName(event.accountId)
    if (event.kind === 'paid') {
      if (event.payer !== null) await account.rememberPayer(event.payer.id, event.payer.paidAt)
      const outcome = await account.credit(`payment:${event.reference}`, event.purpose, event.nanodollars)
      // Sent again for days, which are the operator's to make room or pay it back; an answer of 200 would lose it.
      if (outcome === 'too_much') {
        throw new Problem('invalid_schema', 'The payment would raise the balance above its limit.')
      }
    } else {
      await account.credit(`refund:${event.reference}`, 'refund', -event.nanodollars)
    }
  }
  // Anything but success is sent again for days; what does not concern us is none of Stripe's business.
  return c.json({ received: true })
})
