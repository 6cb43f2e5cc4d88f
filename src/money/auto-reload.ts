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
  /** Whether the operator has heard that its outcome is unknown. */
  reported?: true
}

/** The next firing waits this long, however the last one ended. */
const RELOAD_EVERY_MS = 24 * 60 * 60_000

/** The time from which a reload is due; null if the balance needs none. */
export const reloadDueFrom = (balance: number, settings: AutoReload, last: Reload | null): number | null => {
  if (balance >= settings.threshold) return null
  return last === null ? 0 : last.startedAt + RELOAD_EVERY_MS
}
