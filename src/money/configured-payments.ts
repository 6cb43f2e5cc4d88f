import { localPayments } from './local-payments.ts'
import type { Payments } from './payments.ts'
import { stripePayments } from './stripe-payments.ts'

/** Null if no payments are configured: only the operator then tops up balances. */
export const paymentsOf = ({ STRIPE_SECRET_KEY, PAYMENTS }: Env): Payments | null => {
  if (STRIPE_SECRET_KEY) return stripePayments(STRIPE_SECRET_KEY)
  return PAYMENTS === 'local' ? localPayments : null
}
