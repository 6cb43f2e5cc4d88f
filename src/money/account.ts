import { DurableObject } from 'cloudflare:workers'
import { randomBytes } from 'node:crypto'
import { generateApiKey, hashApiKey, hintOf } from '../access/api-key.ts'
import type { KeyKind, ReservedRates } from '../access/limits.ts'
import type { Usage } from '../access/meter.ts'
import type { Standing } from '../access/standing.ts'
import { type AutoReload, isReloadDue, type Reload } from './auto-reload.ts'
import { type ApiKeyInfo, Keyring, type RevocationReason } from './keyring.ts'
import { type Credit, type CreditKind, type CreditOutcome, Ledger } from './ledger.ts'
import { STARTER_CREDIT } from './nanodollars.ts'
import { paymentsOf } from './payments.ts'

type Profile = {
  id: string
  name: string
  createdAt: number
  verifiedAt: number | null
  /** The directory knows of it. */
  listed: boolean
  autoReload: AutoReload | null
  reload: Reload | null
  /** Who pays for reloads, as the payments name them. */
  payer: string | null
}

export type AccountSummary = Pick<Profile, 'id' | 'name' | 'createdAt' | 'verifiedAt' | 'autoReload'> & {
  lastReloadAt: number | null
  balance: number
  credits: number
  charges: number
  liveKeys: number
}

export type KeyOrder = { kind: KeyKind; name: string; expiresAt: number | null }
export type KeyCreation = { kind: 'created'; id: string; key: string } | { kind: 'too_many_keys' }

export const MAX_LIVE_KEYS = 100
const RETRY_AFTER_MS = 10_000
/** Payments remember an idempotency key for a day; a payment still unknown by then is left to its own event. */
const GIVE_UP_AFTER_MS = 23 * 60 * 60_000

/**
 * One per account: its keys and its money. Every method of an account that was never opened answers null.
 *
 * Each live key holds an allowance, and all allowances together never exceed the balance: as long as no key has
 * spent its own, the money cannot have run out, however late the keys report. A key that has spent its allowance
 * reports at once; then all are asked to report, and what is left is shared out anew.
 */
export class Account extends DurableObject<Env> {
  #profile: Profile | undefined
  readonly #ledger: Ledger
  readonly #keys: Keyring
  #sharing: Promise<void> | undefined
  #shareAgain = false
  #collecting = false
  #reloading: Promise<void> | undefined

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#profile = ctx.storage.kv.get<Profile>('profile')
    this.#ledger = new Ledger(ctx.storage)
    this.#keys = new Keyring(ctx.storage.sql)
  }

  async open(id: string, name: string): Promise<void> {
    if (this.#profile !== undefined) return
    this.ctx.storage.transactionSync(() => {
      Ledger.createTables(this.ctx.storage.sql)
      Keyring.createTables(this.ctx.storage.sql)
      const nothingYet = { verifiedAt: null, listed: false, autoReload: null, reload: null, payer: null }
      this.#keep({ id, name, createdAt: Date.now(), ...nothingYet })
    })
    await this.#enlist()
  }

  summary(): AccountSummary | null {
    if (this.#profile === undefined) return null
    const { id, name, createdAt, verifiedAt, autoReload, reload } = this.#profile
    return {
      ...{ id, name, createdAt, verifiedAt, autoReload, lastReloadAt: reload?.startedAt ?? null },
      balance: this.#ledger.balance,
      ...this.#ledger.totals(),
      liveKeys: this.#keys.live(Date.now()).length,
    }
  }

  /** Marks the account's owner as known; the first time, that brings the starter credit. */
  async verify(): Promise<AccountSummary | null> {
    if (this.#profile === undefined) return null
    this.#keep({ ...this.#profile, verifiedAt: this.#profile.verifiedAt ?? Date.now() })
    await this.credit('starter', 'starter', STARTER_CREDIT)
    return this.summary()
  }

  /** Books a payment, or with a negative sum its refund, once under its reference. */
  async credit(reference: string, kind: CreditKind, nanodollars: number): Promise<CreditOutcome | null> {
    if (this.#profile === undefined) return null
    const outcome = this.#ledger.credit({ reference, kind, nanodollars, at: Date.now() })
    if (outcome === 'credited') await this.#share()
    return outcome
  }

  recentCredits(limit: number): Credit[] | null {
    return this.#profile === undefined ? null : this.#ledger.recentCredits(limit)
  }

  /** From now on, `amount` is bought when the balance falls below `threshold`; null ends that. */
  async setAutoReload(settings: AutoReload | null): Promise<AccountSummary | null> {
    if (this.#profile === undefined) return null
    this.#keep({ ...this.#profile, autoReload: settings })
    this.#reloadIfDue()
    await this.#reloading
    return this.summary()
  }

  rememberPayer(payer: string): void {
    if (this.#profile !== undefined) this.#keep({ ...this.#profile, payer })
  }

  async createKey({ kind, name, expiresAt }: KeyOrder): Promise<KeyCreation | null> {
    if (this.#profile === undefined) return null
    const now = Date.now()
    if (this.#keys.live(now).length >= MAX_LIVE_KEYS) return { kind: 'too_many_keys' }
    const key = generateApiKey(randomBytes)
    const id = `key_${randomBytes(12).toString('hex')}`
    const kept = { id, hash: hashApiKey(key), kind, name, hint: hintOf(key), createdAt: now, expiresAt }
    this.#keys.add(kept, this.#ledger.balance > 0)
    await this.#tell()
    return { kind: 'created', id, key }
  }

  keys(): ApiKeyInfo[] | null {
    return this.#profile === undefined ? null : this.#keys.list()
  }

  async revokeKey(keyId: string, because: RevocationReason = 'requested'): Promise<ApiKeyInfo | null> {
    if (this.#profile === undefined) return null
    this.#keys.revoke(keyId, because, Date.now())
    await this.#tell()
    return this.#keys.find(keyId)
  }

  async reserveRates(keyId: string, rates: ReservedRates): Promise<ApiKeyInfo | null> {
    if (this.#profile === undefined) return null
    this.#keys.reserve(keyId, rates)
    await this.#tell()
    return this.#keys.find(keyId)
  }

  /** Books a key's hand-over and says how the key stands now. */
  settle(keyId: string, sequence: number, usage: Usage): Standing {
    const before = this.#standing(keyId)
    if (before === null) throw new Error('A key settled with an account that is not its own.')
    const outcome = this.#ledger.charge(keyId, sequence, usage, Date.now())
    if (outcome === 'charged') this.#afterCharge(before, usage)
    const standing = this.#standing(keyId) ?? before
    // A Gate that misses this answer settles again and hears it then.
    this.#keys.told(keyId, standing.version)
    return standing
  }

  standingOf(keyId: string): Standing | null {
    return this.#standing(keyId)
  }

  override async alarm(): Promise<void> {
    await this.#enlist()
    await this.#tell()
    await this.#finishReload()
  }

  #standing(keyId: string): Standing | null {
    return this.#profile === undefined ? null : this.#keys.standing(keyId, this.#profile.id)
  }

  #afterCharge(before: Standing, usage: Usage): void {
    const live = this.#keys.live(Date.now())
    const { balance } = this.#ledger
    const heldByOthers = live.reduce((sum, key) => (key.id === before.keyId ? sum : sum + key.allowance), 0)
    const allowance = Math.max(0, Math.min(Math.floor(balance / live.length), balance - heldByOthers))
    const runsOut = balance <= 0 || usage.nanodollars >= before.allowance
    this.#keys.allow(before.keyId, allowance, balance > 0)
    if (runsOut && !this.#collecting) this.ctx.waitUntil(this.#share())
    this.#reloadIfDue()
  }

  /** Writes the firing down, with an alarm that sees it through, before any money is asked for. */
  #reloadIfDue(): void {
    const profile = this.#profile
    const now = Date.now()
    if (profile === undefined) return
    const { autoReload, reload, payer } = profile
    if (autoReload === null || !isReloadDue(this.#ledger.balance, autoReload, reload, now)) return
    // Nobody to ask: firing would only spend the day's one attempt.
    if (paymentsOf(this.env)?.canCharge(payer) !== true) return
    const id = `reload_${profile.id}_${now}`
    this.#keep({ ...profile, reload: { id, amount: autoReload.amount, startedAt: now, outcome: 'unknown' } })
    this.ctx.waitUntil(this.#retryLater())
    this.ctx.waitUntil(this.#finishReload())
  }

  #finishReload(): Promise<void> {
    this.#reloading ??= this.#pay().finally(() => {
      this.#reloading = undefined
    })
    return this.#reloading
  }

  async #pay(): Promise<void> {
    const { id: accountId, payer, reload } = this.#profile ?? {}
    if (accountId === undefined || !reload || reload.outcome !== 'unknown') return
    const payments = paymentsOf(this.env)
    if (payments === null || Date.now() - reload.startedAt > GIVE_UP_AFTER_MS)
      return this.#closeReload('declined')
    try {
      const order = { accountId, nanodollars: reload.amount, payer: payer ?? null, idempotencyKey: reload.id }
      const outcome = await payments.chargeAgain(order)
      // The same reference as the payment's own event carries: whichever comes second changes nothing.
      if (outcome.kind === 'paid') {
        await this.credit(`payment:${outcome.reference}`, 'auto_reload', reload.amount)
      }
      this.#closeReload(outcome.kind)
    } catch {
      await this.#retryLater()
    }
  }

  #closeReload(outcome: Reload['outcome']): void {
    if (this.#profile?.reload) this.#keep({ ...this.#profile, reload: { ...this.#profile.reload, outcome } })
  }

  /** Has every key report, then shares the balance out among them and tells their Gates. */
  #share(): Promise<void> {
    this.#shareAgain = true
    this.#sharing ??= this.#shareUntilDone().finally(() => {
      this.#sharing = undefined
    })
    return this.#sharing
  }

  async #shareUntilDone(): Promise<void> {
    while (this.#shareAgain) {
      this.#shareAgain = false
      await this.#collect()
      await this.#spread()
    }
  }

  async #collect(): Promise<void> {
    this.#collecting = true
    const asked = this.#keys.live(Date.now()).map(key => this.env.GATE.getByName(key.hash).report())
    await Promise.allSettled(asked)
    this.#collecting = false
  }

  async #spread(): Promise<void> {
    const live = this.#keys.live(Date.now())
    const balance = Math.max(0, this.#ledger.balance)
    for (const key of live) this.#keys.allow(key.id, Math.floor(balance / live.length), balance > 0)
    await this.#tell()
  }

  /** Tells every Gate that has not heard the latest; those that cannot be reached are told later. */
  async #tell(): Promise<void> {
    if (this.#profile === undefined) return
    const telling = this.#keys.untold(this.#profile.id).map(async ({ hash, standing }) => {
      await this.env.GATE.getByName(hash).adopt(standing)
      this.#keys.told(standing.keyId, standing.version)
    })
    const outcomes = await Promise.allSettled(telling)
    if (outcomes.some(outcome => outcome.status === 'rejected')) await this.#retryLater()
  }

  /** Enters the account in the directory, so that it can be found without knowing its id. */
  async #enlist(): Promise<void> {
    const profile = this.#profile
    if (profile === undefined || profile.listed) return
    try {
      await this.env.DIRECTORY.getByName('accounts').enter(profile.id, profile.name, profile.createdAt)
      this.#keep({ ...(this.#profile ?? profile), listed: true })
    } catch {
      await this.#retryLater()
    }
  }

  #retryLater(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + RETRY_AFTER_MS)
  }

  #keep(profile: Profile): void {
    this.#profile = profile
    this.ctx.storage.kv.put('profile', profile)
  }
}
