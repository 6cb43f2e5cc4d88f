/** Buys `amount` when the balance falls below `threshold`. */
export type AutoReload = { threshold: number; amount: number }

/** One firing. It is written down before anybody is asked for money, so a crash cannot make it two. */
export type Reload = {
  /** Also the payment's idempotency key: asking again with it is asking about the same payment. */
  id: string
  amount: number
  /** As remembered when it fired: under one key, the same must be asked each time. */
  payer: string | null
  startedAt: number
  outcome: 'unknown' | 'paid' | 'pending' | 'declined'
}

/** However it ended, the next firing waits so long. */
const RELOAD_EVERY_MS = 24 * 60 * 60_000

/** From when on a reload is due; null where the balance asks for none. */
export const reloadDueFrom = (balance: number, settings: AutoReload, last: Reload | null): number | null => {
  if (balance >= settings.threshold) return null
  return last === null ? 0 : last.startedAt + RELOAD_EVERY_MS
}
