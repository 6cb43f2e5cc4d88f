import { DurableObject } from 'cloudflare:workers'
import { randomBytes } from 'node:crypto'
import { generateApiKey, hashApiKey, hintOf } from '../access/api-key.ts'
import type { KeyKind, ReservedRates } from '../access/limits.ts'
import type { Usage } from '../access/meter.ts'
import type { Standing } from '../access/standing.ts'
import { type ApiKeyInfo, Keyring } from './keyring.ts'
import { type CreditOutcome, Ledger } from './ledger.ts'
import { STARTER_CREDIT } from './nanodollars.ts'

type Profile = { id: string; name: string; createdAt: number; verifiedAt: number | null; listed: boolean }

export type AccountSummary = Omit<Profile, 'listed'> & {
  balance: number
  credits: number
  charges: number
  liveKeys: number
}

export type KeyOrder = { kind: KeyKind; name: string; expiresAt: number | null }
export type KeyCreation = { kind: 'created'; id: string; key: string } | { kind: 'too_many_keys' }

export const MAX_LIVE_KEYS = 100
const RETRY_AFTER_MS = 10_000

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
      this.#keep({ id, name, createdAt: Date.now(), verifiedAt: null, listed: false })
    })
    await this.#enlist()
  }

  summary(): AccountSummary | null {
    if (this.#profile === undefined) return null
    const { listed: _, ...profile } = this.#profile
    const liveKeys = this.#keys.live(Date.now()).length
    return { ...profile, balance: this.#ledger.balance, ...this.#ledger.totals(), liveKeys }
  }

  /** Marks the account's owner as known; the first time, that brings the starter credit. */
  async verify(): Promise<AccountSummary | null> {
    if (this.#profile === undefined) return null
    this.#keep({ ...this.#profile, verifiedAt: this.#profile.verifiedAt ?? Date.now() })
    await this.credit('starter', 'starter', STARTER_CREDIT)
    return this.summary()
  }

  async credit(
    reference: string,
    kind: 'starter' | 'top_up',
    nanodollars: number,
  ): Promise<CreditOutcome | null> {
    if (this.#profile === undefined) return null
    const outcome = this.#ledger.credit({ reference, kind, nanodollars, at: Date.now() })
    if (outcome === 'credited') await this.#share()
    return outcome
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

  async revokeKey(keyId: string): Promise<ApiKeyInfo | null> {
    if (this.#profile === undefined) return null
    this.#keys.revoke(keyId, Date.now())
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
