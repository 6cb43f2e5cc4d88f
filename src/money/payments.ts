export type PaymentOutcome =
  /** The money has arrived; `reference` permanently identifies the payment. */
  | { kind: 'paid'; reference: string }
  /** It may still come, perhaps in days; the payment's own event will say so. */
  | { kind: 'pending'; reference: string }
  | { kind: 'declined' }

type ReloadOrder = {
  accountId: string
  nanodollars: number
  /** Who pays and how, as remembered from an earlier payment. */
  payer: string | null
  idempotencyKey: string
}

/** Refused: asking again would not change the answer. */
type Checkout = { kind: 'open'; url: string } | { kind: 'refused' }

type CheckoutOrder = { accountId: string; nanodollars: number; returnUrl: string }

/** Where money comes from. Throws if the outcome of a call is unknown; the same call may then be made again. */
export type Payments = {
  /** Whether a reload could be charged to this payer, or, if null, to nobody in particular. */
  canCharge(payer: string | null): boolean
  chargeAgain(order: ReloadOrder): Promise<PaymentOutcome>
  /** A page where a person pays once and leaves a payment method for later reloads. */
  openCheckout(order: CheckoutOrder): Promise<Checkout>
  /** Which account a charge was paid for; null if it is not one of ours. */
  accountOf(chargeId: string): Promise<string | null>
}

/** The name that a payment has in the books, whoever reports it. */
export const creditReference = (payment: string): string => `payment:${payment}`

/**
 * The same for money that went back: one that was booked by hand under Stripe's id of a refund (`re_…`, `pyr_…`), or of
 * what a dispute moved (`txn_…`), is not booked again when Stripe reports it, which it may do for months.
 */
export const deductionReference = (reference: string): string => {
  if (/^(re|pyr)_/.test(reference)) return `refund:${reference}`
  return reference.startsWith('txn_') ? `dispute:${reference}` : `deduction:${reference}`
}
