import { DurableObject } from 'cloudflare:workers'
import { randomBytes } from 'node:crypto'
import { generateApiKey, hashApiKey } from '../access/api-key.ts'
import { hintOf } from '../access/key-hint.ts'
import type { KeyKind, ReservedRates } from '../access/limits.ts'
import type { Tally } from '../access/meter.ts'
import type { Standing } from '../access/standing.ts'
import { reportFault } from '../fault.ts'
import { newId } from '../ids.ts'
import { SoonestAlarm } from '../soonest-alarm.ts'
import { type AccountDetails, DetailsBook } from './account-details.ts'
import { Allowances } from './allowances.ts'
import type { AutoReload, Reload } from './auto-reload.ts'
import { paymentsOf } from './configured-payments.ts'
import { type ApiKeyInfo, Keyring, MAX_LIVE_KEYS, type RevocationReason } from './keyring.ts'
import { type Charge, type Credit, type CreditKind, type CreditOutcome, Ledger } from './ledger.ts'
import { Listing } from './listing.ts'
import { STARTER_CREDIT } from './nanodollars.ts'
import { Reloads } from './reloads.ts'

export type AccountSummary = Pick<
  AccountDetails,
  'id' | 'name' | 'createdAt' | 'verifiedAt' | 'autoReload'
> & {
  closedAt: number | null
  lastReload: Pick<Reload, 'startedAt' | 'outcome'> | null
  reloadsCanPay: boolean
  balance: number
  credits: number
  charges: number
  liveKeys: number
}

export type KeyOrder = { kind: KeyKind; name: string; expiresAt: number | null }
/** Withdrawn: its Gate could not be told of the key and would have refused it, or the directory, which must find it. */
type KeyCreation =
  | { kind: 'created'; id: string; key: string }
  | { kind: 'too_many_keys' }
  | { kind: 'closed' }
  | { kind: 'withdrawn' }
/** Untold: recorded, but the key's Gate has yet to be told and until then treats the key as before. */
export type KeyChange = { kind: 'told'; key: ApiKeyInfo } | { kind: 'untold' }

/** Untold: recorded, but keys whose Gates have yet to be told still work. */
type Closing = { kind: 'told' | 'untold'; account: AccountSummary }
export type AutoReloadChange = { kind: 'changed'; account: AccountSummary } | { kind: 'closed' }

const RETRY_AFTER_MS = 10_000

/** Also adds what an account that an earlier version opened lacks. */
const createTables = (sql: SqlStorage): void => {
  Ledger.createTables(sql)
  Keyring.createTables(sql)
}

/** One per account: its keys and its money. Every method of an account that was never opened returns null. */
export class Account extends DurableObject<Env> {
  readonly #alarm = new SoonestAlarm(this.ctx)
  readonly #details = new DetailsBook(this.ctx.storage.kv)
  readonly #ledger = new Ledger(this.ctx.storage)
  readonly #keys = new Keyring(this.ctx.storage.sql)
  readonly #allowances = new Allowances({
    accountId: () => this.#details.current?.id,
    keys: this.#keys,
    ledger: this.#ledger,
    gates: this.env.GATE,
    wakeSoon: () => this.#alarm.within(RETRY_AFTER_MS),
  })
  readonly #listing = new Listing({
    details: this.#details,
    keys: this.#keys,
    directory: () => this.env.DIRECTORY.getByName('accounts'),
    wakeSoon: () => this.#alarm.within(RETRY_AFTER_MS),
  })
  readonly #reloads = new Reloads({
    details: this.#details,
    balance: () => this.#ledger.balance,
    // A card is not charged for an account that is closed, not even again for a payment whose outcome is unknown.
    payments: () => (this.#isClosed() ? null : paymentsOf(this.env)),
    credit: (...payment) => this.credit(...payment),
    wakeWithin: ms => this.#alarm.within(ms),
  })

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(() => this.#resume())
  }

  async open(id: string, name: string): Promise<void> {
    if (this.#exists()) return
    this.ctx.storage.transactionSync(() => {
      createTables(this.ctx.storage.sql)
      this.#details.open(id, name, Date.now())
    })
    await this.#listing.complete()
  }

  summary(): AccountSummary | null {
    if (this.#details.current === undefined) return null
    const { id, name, createdAt, verifiedAt, autoReload, reload: lastReload } = this.#details.current
    const { closedAt = null } = this.#details.current
    return {
      ...{ id, name, createdAt, verifiedAt, closedAt, autoReload, lastReload },
      reloadsCanPay: this.#reloads.canPay(),
      balance: this.#ledger.balance,
      ...this.#ledger.totals(),
      liveKeys: this.#keys.live().length,
    }
  }

  async rename(name: string): Promise<AccountSummary | null> {
    if (!this.#exists()) return null
    this.#details.change({ name, listed: false })
    await this.#listing.complete()
    return this.summary()
  }

  /**
   * Revokes all keys for good and ends automatic reloads. The books stay, and what is still to come is booked: usage,
   * refunds, disputes, and payments that were under way.
   */
  async close(): Promise<Closing | null> {
    const { current } = this.#details
    if (current === undefined) return null
    const live = this.#keys.live()
    const now = Date.now()
    this.ctx.storage.transactionSync(() => {
      for (const { id } of live) this.#keys.revoke(id, 'requested', now)
      this.#details.change({ closedAt: current.closedAt ?? now, autoReload: null, listed: false })
    })
    const unreached = await this.#tellOrLater()
    await Promise.all([this.#allowances.collect(live), this.#reloads.finish(), this.#listing.complete()])
    const account = this.summary()
    return account && { kind: unreached.size > 0 ? 'untold' : 'told', account }
  }

  /** Lets the account have keys again. Those it had stay revoked: no Gate ever accepts a revoked key again. */
  async reopen(): Promise<AccountSummary | null> {
    if (!this.#exists()) return null
    this.#details.change({ closedAt: null, listed: false })
    await this.#listing.complete()
    return this.summary()
  }

  /** Marks the account's owner as known; the first time, this grants the starter credit. */
  async verify(): Promise<AccountSummary | null> {
    if (!this.#exists()) return null
    this.#details.change({ verifiedAt: this.#details.current?.verifiedAt ?? Date.now() })
    await this.credit('starter', 'starter', STARTER_CREDIT)
    return this.summary()
  }

  /** Books a payment, or its refund as a negative sum, once under its reference. */
  async credit(reference: string, kind: CreditKind, nanodollars: number): Promise<CreditOutcome | null> {
    if (!this.#exists()) return null
    const outcome = this.#ledger.credit({ reference, kind, nanodollars, at: Date.now() })
    if (outcome !== 'too_much') this.#reloads.heard(reference, 'paid')
    // A refund may take the balance below the threshold, and a small payment may leave it there. So may one that was
    // booked by hand, before its event said who can be charged.
    this.ctx.waitUntil(this.#reloads.fireIfDue())
    if (outcome !== 'credited') return outcome
    if (this.#isClosed() && nanodollars > 0) {
      reportFault({ kind: 'credited_after_closing', account_id: this.#details.current?.id ?? '' })
    }
    await this.#shareOrLater()
    return outcome
  }

  /** The payment that would have been credited under this reference failed. */
  paymentFailed(reference: string): void {
    this.#reloads.heard(reference, 'declined')
  }

  credits(...page: Parameters<Ledger['credits']>): Credit[] | null {
    return this.#exists() ? this.#ledger.credits(...page) : null
  }

  charges(...page: Parameters<Ledger['charges']>): Charge[] | null {
    return this.#exists() ? this.#ledger.charges(...page) : null
  }

  /** From now on, buys `amount` when the balance falls below `threshold`; null ends that. */
  async setAutoReload(settings: AutoReload | null): Promise<AutoReloadChange | null> {
    if (this.#isClosed() && settings !== null) return { kind: 'closed' }
    this.#details.change({ autoReload: settings })
    await this.#reloads.fireIfDue()
    const account = this.summary()
    return account && { kind: 'changed', account }
  }

  /** Does nothing if a later payment's payer is remembered: events come late, repeatedly and in any order. */
  rememberPayer(payer: string, payerPaidAt: number): void {
    const { payerPaidAt: before } = this.#details.current ?? {}
    if (before === undefined || payerPaidAt > before) this.#details.change({ payer, payerPaidAt })
  }

  async createKey({ kind, name, expiresAt }: KeyOrder): Promise<KeyCreation | null> {
    if (!this.#exists()) return null
    if (this.#isClosed()) return { kind: 'closed' }
    if (this.#keys.live().length >= MAX_LIVE_KEYS) return { kind: 'too_many_keys' }
    const key = generateApiKey(randomBytes)
    const id = newId('key', randomBytes)
    const funded = this.#ledger.balance > 0
    this.#keys.add({ id, hash: hashApiKey(key), kind, name, hint: hintOf(key), expiresAt }, funded)
    const [unreached, isListed] = await Promise.all([this.#tellOrLater(), this.#listing.addKey(id)])
    // Whoever closed the account meanwhile has revoked the key, even if it is open again by now.
    if (this.#keys.find(id)?.revokedAt !== null) return { kind: 'closed' }
    if (isListed && !unreached.has(id)) return { kind: 'created', id, key }
    // Nobody has seen it yet. Should its Gate have heard of it all the same, that changes nothing.
    this.#keys.withdraw(id)
    return { kind: 'withdrawn' }
  }

  keys(...page: Parameters<Keyring['list']>): ApiKeyInfo[] | null {
    return this.#exists() ? this.#keys.list(...page) : null
  }

  key(keyId: string): ApiKeyInfo | null {
    return this.#exists() ? this.#keys.find(keyId) : null
  }

  async revokeKey(keyId: string, because: RevocationReason = 'requested'): Promise<KeyChange | null> {
    if (!this.#exists()) return null
    this.#keys.revoke(keyId, because, Date.now())
    return this.#tellChange(keyId)
  }

  async reserveRates(keyId: string, rates: ReservedRates): Promise<KeyChange | null> {
    if (!this.#exists()) return null
    this.#keys.reserve(keyId, rates)
    return this.#tellChange(keyId)
  }

  /**
   * Books a key's hand-over and returns the key's standing now; null if the account does not know the key. The usage
   * of an unknown key is charged like any other's. `heard` is as in `standingOf`.
   */
  handOver(keyId: string, sequence: number, tally: Tally, heard = 0): Standing | null {
    if (!this.#exists()) return null
    const before = this.standingOf(keyId, heard)
    this.#ledger.charge(keyId, sequence, tally, Date.now())
    // A repeated hand-over runs the rest again, because the first time may have ended before it.
    const sharesOut = before === null || this.#allowances.afterCharge(before, tally)
    if (sharesOut) this.ctx.waitUntil(this.#shareOrLater())
    this.ctx.waitUntil(this.#reloads.fireIfDue())
    const standing = this.standingOf(keyId)
    // A Gate that misses this answer hands over again and hears it then. For a revocation that is too late.
    if (standing?.revoked === false) this.#keys.told(keyId, standing.version)
    return standing
  }

  /** `heard` is the version of what the key's Gate has heard, if it is a Gate that asks. */
  standingOf(keyId: string, heard = 0): Standing | null {
    const { id } = this.#details.current ?? {}
    if (id === undefined) return null
    if (heard > 0) this.#keys.outdo(keyId, heard)
    const standing = this.#keys.standing(keyId, id)
    // The sharing of a payment was given up: nothing but a key that asks would ever start it again.
    if (standing?.funded === false && this.#ledger.balance > 0) this.ctx.waitUntil(this.#shareOrLater())
    return standing
  }

  /** Follows up on anything that a crash may have left undone or that could not be done. */
  override async alarm(): Promise<void> {
    this.#alarm.rang()
    if (!this.#exists()) return
    await this.#listing.complete()
    await this.#allowances.share()
    await this.#reloads.finish()
    await this.#reloads.fireIfDue()
  }

  /** In each new life: makes sure that what is left undone has an alarm, even if the platform gave up the last one. */
  async #resume(): Promise<void> {
    // The end of a reload's pause, a day away, must not replace what is due in seconds.
    await this.#alarm.remember()
    const { id } = this.#details.current ?? {}
    if (id === undefined) return
    createTables(this.ctx.storage.sql)
    if (this.#listing.isDue || this.#keys.untold(id).length > 0) this.#alarm.within(RETRY_AFTER_MS)
    this.#reloads.askAgainLater()
    this.#reloads.wakeIfDue()
  }

  #exists(): boolean {
    return this.#details.current !== undefined
  }

  #isClosed(): boolean {
    return typeof this.#details.current?.closedAt === 'number'
  }

  async #tellChange(keyId: string): Promise<KeyChange | null> {
    const unreached = await this.#tellOrLater()
    const key = this.#keys.find(keyId)
    if (key === null) return null
    return unreached.has(keyId) ? { kind: 'untold' } : { kind: 'told', key }
  }

  /** The alarm reaches the disk together with what was just booked, so a crash on the way only delays the sharing. */
  #shareOrLater(): Promise<void> {
    this.#alarm.within(RETRY_AFTER_MS)
    return this.#allowances.share()
  }

  /** The same for what was just written about a key. */
  #tellOrLater(): Promise<ReadonlySet<string>> {
    this.#alarm.within(RETRY_AFTER_MS)
    return this.#allowances.tell()
  }
}
