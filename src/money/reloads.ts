import { failureOf, reportFault } from '../fault.ts'
import type { DetailsBook } from './account-details.ts'
import { type Reload, reloadDueFrom } from './auto-reload.ts'
import type { CreditKind } from './ledger.ts'
import { creditReference, type Payments } from './payments.ts'

type Surroundings = {
  details: DetailsBook
  balance: () => number
  /** Null if nobody can be asked for money. */
  payments: () => Payments | null
  credit: (reference: string, kind: CreditKind, nanodollars: number) => Promise<unknown>
  wakeWithin: (ms: number) => void
}

/** `Payments` remembers an idempotency key for a day; a payment still unknown by then is left to its own event. */
const GIVE_UP_AFTER_MS = 23 * 60 * 60_000
/** A payment of unknown outcome is asked about after a quarter of the time it has been unknown, within these bounds. */
const ASK_AGAIN_MS = { least: 10_000, most: 30 * 60_000 }

/** Buys credit when the balance is low, at most once in 24 hours, even across crashes. */
export class Reloads {
  readonly #around: Surroundings
  #paying: Promise<void> | undefined

  constructor(surroundings: Surroundings) {
    this.#around = surroundings
  }

  /** Whether there is anybody to charge: otherwise a firing would only use up the day's one attempt. */
  canPay(): boolean {
    const { details, payments } = this.#around
    return payments()?.canCharge(details.current?.payer ?? null) === true
  }

  /**
   * Records a firing, with an alarm that sees it through, before asking for any money. During the pause after the last
   * firing it sets an alarm for the end of the pause: a key without credit spends nothing that would ask again.
   */
  async fireIfDue(): Promise<void> {
    const { details, wakeWithin } = this.#around
    const { id: accountId, payer = null, reload: last } = details.current ?? {}
    const due = this.#due()
    if (due === null) return
    if (due.withinMs > 0) return wakeWithin(due.withinMs)
    // If the platform was away, no alarm has done so.
    if (last?.outcome === 'unknown') this.#giveUp(last)
    const now = Date.now()
    const id = `reload_${accountId}_${now}`
    details.change({ reload: { id, amount: due.amount, payer, startedAt: now, outcome: 'unknown' } })
    wakeWithin(ASK_AGAIN_MS.least)
    await this.finish()
  }

  /** Makes sure of a firing that is due: when its alarm went off, there may have been nobody to charge. */
  wakeIfDue(): void {
    const due = this.#due()
    if (due !== null) this.#around.wakeWithin(due.withinMs)
  }

  /** What became of a payment that was pending, if it is the last firing's. */
  heard(reference: string, outcome: 'paid' | 'declined'): void {
    const { details } = this.#around
    const { reload } = details.current ?? {}
    if (reload?.outcome !== 'pending' || reload.awaits !== reference) return
    details.change({ reload: { ...reload, outcome } })
    this.wakeIfDue()
  }

  /** Asks, or asks again, about the firing whose outcome is unknown. */
  finish(): Promise<void> {
    this.#paying ??= this.#pay().finally(() => {
      this.#paying = undefined
    })
    return this.#paying
  }

  /** Makes sure to ask again about a firing whose outcome is unknown: the longer it has been unknown, the later. */
  askAgainLater(): void {
    const { wakeWithin } = this.#around
    const reload = this.#last()
    if (reload?.outcome !== 'unknown') return
    const unknownFor = Date.now() - reload.startedAt
    wakeWithin(Math.min(ASK_AGAIN_MS.most, Math.max(ASK_AGAIN_MS.least, unknownFor / 4)))
  }

  /** Once a clock that was ahead is corrected, its firing counts as made now: the next must not wait for that time. */
  #last(): Reload | null {
    const { details } = this.#around
    const { reload = null } = details.current ?? {}
    const now = Date.now()
    if (reload === null || reload.startedAt <= now) return reload
    const corrected = { ...reload, startedAt: now }
    details.change({ reload: corrected })
    return corrected
  }

  /** The next firing: how much, and how soon. Null if none is due or there is nobody to charge. */
  #due(): { amount: number; withinMs: number } | null {
    const { details, balance } = this.#around
    const { autoReload = null } = details.current ?? {}
    if (autoReload === null) return null
    const dueFrom = reloadDueFrom(balance(), autoReload, this.#last())
    if (dueFrom === null || !this.canPay()) return null
    return { amount: autoReload.amount, withinMs: Math.max(0, dueFrom - Date.now()) }
  }

  async #pay(): Promise<void> {
    const { details, payments, credit } = this.#around
    const accountId = details.current?.id
    const reload = this.#last()
    if (accountId === undefined || reload?.outcome !== 'unknown') return
    const asked = payments()
    if (asked === null || Date.now() - reload.startedAt > GIVE_UP_AFTER_MS) {
      return this.#giveUp(reload)
    }
    try {
      const { id: idempotencyKey, amount: nanodollars, payer } = reload
      const outcome = await asked.chargeAgain({ accountId, nanodollars, payer, idempotencyKey })
      // The payment's own event carries the same reference, so whichever comes second changes nothing.
      if (outcome.kind === 'paid') {
        await credit(creditReference(outcome.reference), 'auto_reload', nanodollars)
      }
      const more = outcome.kind === 'pending' ? { awaits: creditReference(outcome.reference) } : {}
      details.change({ reload: { ...reload, outcome: outcome.kind, ...more } })
    } catch (error) {
      this.askAgainLater()
      if (reload.reported) return
      reportFault({ kind: 'reload', outcome: 'unknown', account_id: accountId, ...failureOf(error) })
      details.change({ reload: { ...reload, reported: true } })
    }
  }

  #giveUp(reload: Reload): void {
    const { details } = this.#around
    details.change({ reload: { ...reload, outcome: 'given_up' } })
    reportFault({ kind: 'reload', outcome: 'given_up', account_id: details.current?.id ?? '' })
  }
}
