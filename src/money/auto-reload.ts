/** Buys `amount` when the balance falls below `threshold`. */
export type AutoReload = { threshold: number; amount: number }

/** One firing. It is recorded before anybody is asked for money, so a crash cannot turn it into two. */
export type Reload = {
  /** Also the payment's idempotency key: asking again with it asks about the same payment. */
  id: string
  amount: number
  /** As remembered when it fired: under one idempotency key, every request must be the same. */
  payer: string | null
  startedAt: number
  /** Given up: nobody said in time whether it was paid. */
  outcome: 'unknown' | 'paid' | 'pending' | 'declined' | 'given_up'
  /** Under which reference a pending payment will be credited. */
  awaits?: string
  /** Whether the operator has heard that its outcome is unknown. */
  reported?: true
}

/** The next firing waits this long, however the last one ended. */
const RELOAD_EVERY_MS = 24 * 60 * 60_000
/**
 * And this long if nobody says what became of a payment that is under way: a bank takes days for a debit, and each day's
 * firing would make another one for the same need. https://docs.stripe.com/payments/ach-direct-debit
 */
const PENDING_AT_MOST_MS = 7 * 24 * 60 * 60_000

/** The time from which a reload is due; null if the balance needs none. */
export const reloadDueFrom = (balance: number, settings: AutoReload, last: Reload | null): number | null => {
  if (balance >= settings.threshold) return null
  if (last === null) return 0
  return last.startedAt + (last.outcome === 'pending' ? PENDING_AT_MOST_MS : RELOAD_EVERY_MS)
}
