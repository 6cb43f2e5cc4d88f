import type { Payments } from './payments.ts'

/** For development: every payment succeeds and no money moves. Used only if PAYMENTS is "local". */
export const localPayments: Payments = {
  canCharge: () => true,
  chargeAgain: async ({ idempotencyKey }) => ({ kind: 'paid', reference: `local_${idempotencyKey}` }),
  openCheckout: async ({ returnUrl }) => ({ kind: 'open', url: returnUrl }),
  accountOf: async () => null,
}
