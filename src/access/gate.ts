import { DurableObject } from 'cloudflare:workers'
import { failureOf, reportFault } from '../fault.ts'
import { inTime } from '../in-time.ts'
import { SoonestAlarm } from '../soonest-alarm.ts'
import type { Identity, Overloaded, Owner, Rates, Refused, Spent } from './admission.ts'
import { Buckets, type TokenWindow } from './buckets.ts'
import type { Taken } from './limiter.ts'
import { ACCOUNT_READS } from './limits.ts'
import { acknowledge, count, emptyMeter, type Meter, seal, toHandOver } from './meter.ts'
import { isLive, type Standing } from './standing.ts'

/** Usage is handed over this long after it begins, or soon if the key's allowance is spent. */
const HAND_OVER_AFTER_MS = 60_000
const HAND_OVER_SOON_MS = 1_000
const RETRY_AFTER_MS = 15_000
/** An account that has not answered by then may never do so. What it has booked, it does not book again. */
const ACCOUNT_ANSWERS_WITHIN_MS = 30_000
/** A hand-over that has failed for so long did not just meet a deployment. */
const REPORT_AFTER_MS = 60_000
const REPORT_AGAIN_AFTER_MS = 3_600_000
/** Usage is written to disk this long after it is counted: a crash loses at most this much of it, uncharged. */
const WRITE_AFTER_MS = 150
/** A reservation that is never settled is forgotten after this long. No request takes that long. */
const RESERVATION_LIFE_MS = 24 * 3_600_000
/** An unfunded key asks its account again after this long, in case the news that it is funded was lost. */
const ASK_AGAIN_AFTER_MS = 10_000

/**
 * What was reserved, and in which life of the object. An idle object leaves memory within seconds, so a long request
 * is often settled in a later life than the one that admitted it.
 */
export type Reservation = { life: string; number: number; taken: Taken }

export type GateAdmission =
  | (Owner & { kind: 'admitted'; rates: Rates; reservation: Reservation })
  | Exclude<Refused, Overloaded>

export type Settlement = Spent & { reservation: Reservation }

/** The window is written with the meter, so that leaving memory does not refill the token bucket. */
type Kept = Meter & { window?: TokenWindow | undefined }

/** Since when no hand-over succeeds, and when that was last reported. On disk, because an idle Gate leaves memory. */
type Trouble = { since: number; reportedAt: number | null }

/** What the account last said about the key, and the buckets that apply its limits. */
type Key = { standing: Standing; buckets: Buckets }

/** One per API key, named by the key's SHA-256. Decides whether the key is live and funded and a request may pass. */
export class Gate extends DurableObject<Env> {
  /** Undefined until its account announces the key: there may be no such key. */
  #key: Key | undefined
  #meter: Meter
  readonly #reads = new Buckets(ACCOUNT_READS, Date.now())
  /** When each unsettled reservation of this life was made, oldest first. */
  #open = new Map<number, number>()
  #nextReservation = 0
  /** Never more than the number of requests under way when the object last left memory. */
  readonly #settledOfEarlierLives = new Set<string>()
  readonly #life = crypto.randomUUID()
  #writePending = false
  #handingOver: Promise<void> | undefined
  readonly #alarm = new SoonestAlarm(this.ctx)
  #askedAt = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const standing = ctx.storage.kv.get<Standing>('standing')
    const { window, ...meter }: Kept = ctx.storage.kv.get<Kept>('meter') ?? emptyMeter
    this.#key = standing && { standing, buckets: new Buckets(standing.limits, Date.now(), window) }
    this.#meter = meter
    if (toHandOver(this.#meter) > 0) void ctx.blockConcurrencyWhile(() => this.#resume())
  }

  /** Settles the earlier requests sent along, then counts one request and reserves its tokens. */
  admit(tokens: number, settlements: readonly Settlement[] = []): GateAdmission {
    const now = Date.now()
    for (const settlement of settlements) this.#settle(settlement, now)
    const key = this.#key
    if (key === undefined || !isLive(key.standing, now)) return { kind: 'invalid_api_key' }
    const { standing, buckets } = key
    const { keyId, accountId, funded } = standing
    if (!funded) {
      this.#askAccount(standing, now)
      return { kind: 'insufficient_credits', keyId, accountId, rates: buckets.rates(now) }
    }
    const verdict = buckets.take(tokens, now)
    if (verdict.kind !== 'allowed') return { ...verdict, keyId, accountId }
    const { rates, taken } = verdict
    return { kind: 'admitted', keyId, accountId, rates, reservation: this.#hold(taken, now) }
  }

  /** Replaces reservations with actual usage. Settling one twice changes nothing. */
  settle(settlements: readonly Settlement[]): void {
    const now = Date.now()
    for (const settlement of settlements) this.#settle(settlement, now)
  }

  /** Undoes an admission that another limiter refused. */
  cancel({ life, number, taken }: Reservation): void {
    if (life === this.#life && this.#open.delete(number)) this.#key?.buckets.undo(taken)
  }

  /** Whose key this is, for reading the account. Works with an empty balance, and counts no decision. */
  identify(): Identity {
    const now = Date.now()
    const key = this.#key
    if (key === undefined || !isLive(key.standing, now)) return { kind: 'invalid_api_key' }
    const { keyId, accountId } = key.standing
    const rates = key.buckets.rates(now)
    const verdict = this.#reads.take(0, now)
    return verdict.kind === 'allowed'
      ? { kind: 'known', keyId, accountId, rates }
      : { kind: 'rate_limited', keyId, accountId, rates, retryAfterSeconds: 1 }
  }

  /** Whose key this is, for revoking a leaked one. Counts nothing. */
  owner(): Owner | null {
    if (this.#key === undefined) return null
    const { keyId, accountId } = this.#key.standing
    return { keyId, accountId }
  }

  /** Adopts the account's news about the key, unless the Gate knows as much or more. Returns once it is on disk. */
  adopt(standing: Standing): void {
    this.#learn(standing)
    // Its new share may be less than what it has spent since it last handed over.
    this.#handOverSoonIfSpent()
  }

  /** Revokes the key for good, whatever its account knows about it. Returns once it is on disk. */
  revoke(): void {
    if (this.#key !== undefined) this.#keep({ ...this.#key.standing, revoked: true })
  }

  /** Hands over to the account what was counted. If that is under way already, waits only for it. */
  handOverNow(): Promise<void> {
    this.#handingOver ??= this.#send().finally(() => {
      this.#handingOver = undefined
    })
    return this.#handingOver
  }

  override async alarm(): Promise<void> {
    this.#alarm.rang()
    await this.handOverNow()
  }

  /** Null if the account was restored to before it made the key: it could neither list nor revoke such a key. */
  #hear(news: Standing | null): void {
    if (news === null) this.revoke()
    else this.#learn(news)
  }

  #learn(standing: Standing): void {
    const before = this.#key?.standing
    if (before !== undefined && standing.version <= before.version) return
    // An account that was restored to an earlier point in time has forgotten later revocations.
    this.#keep({ ...standing, revoked: standing.revoked || before?.revoked === true })
  }

  #keep(standing: Standing): void {
    this.ctx.storage.kv.put('standing', standing)
    const buckets = this.#key?.buckets ?? new Buckets(standing.limits, Date.now())
    buckets.relimit(standing.limits)
    this.#key = { standing, buckets }
  }

  #settle({ reservation: { life, number, taken }, ...spent }: Settlement, now: number): void {
    if (this.#key === undefined) return
    const { buckets } = this.#key
    if (life === this.#life) {
      if (!this.#open.delete(number)) return
      buckets.correct(taken, spent.inputTokens)
    } else {
      const name = `${life}:${number}`
      if (this.#settledOfEarlierLives.has(name)) return
      this.#settledOfEarlierLives.add(name)
      buckets.use(taken, spent.inputTokens, now)
    }
    if (spent.costNanodollars > 0) this.#count(spent)
  }

  #hold(taken: Taken, now: number): Reservation {
    for (const [number, at] of this.#open) {
      if (now - at <= RESERVATION_LIFE_MS) break
      this.#open.delete(number)
    }
    const number = this.#nextReservation++
    this.#open.set(number, now)
    return { life: this.#life, number, taken }
  }

  #count(spent: Spent): void {
    this.#meter = count(this.#meter, spent)
    this.#handOverSoonIfSpent()
    if (this.#writePending) return
    this.#writePending = true
    // Not a promise that the request waits for: the object stays alive while the timer runs.
    setTimeout(() => {
      this.#writePending = false
      this.#writeMeter()
      this.#alarm.within(HAND_OVER_AFTER_MS)
    }, WRITE_AFTER_MS)
  }

  #handOverSoonIfSpent(): void {
    const spent = toHandOver(this.#meter)
    const allowance = this.#key?.standing.allowance ?? 0
    if (spent > 0 && spent >= allowance) this.#alarm.within(HAND_OVER_SOON_MS)
  }

  #writeMeter(): void {
    this.ctx.storage.kv.put('meter', { ...this.#meter, window: this.#key?.buckets.window } satisfies Kept)
  }

  async #send(): Promise<void> {
    const standing = this.#key?.standing
    if (standing === undefined) return
    const sentBefore = this.#meter.sealed !== null
    this.#meter = seal(this.#meter)
    const { sequence, sealed } = this.#meter
    if (sealed === null) return
    // The platform delays the call below until this is on disk, so the same hand-over can be sent again unchanged.
    this.#writeMeter()
    try {
      const account = this.env.ACCOUNT.getByName(standing.accountId)
      const booking = account.handOver(standing.keyId, sequence, sealed, standing.version)
      this.#hear(await inTime(booking, ACCOUNT_ANSWERS_WITHIN_MS))
      this.ctx.storage.kv.delete('trouble')
      this.#meter = acknowledge(this.#meter)
      this.#writeMeter()
      // Usage counted since the first attempt is due as well.
      if (sentBefore) return await this.#send()
      if (this.#meter.open.requests > 0) this.#alarm.within(HAND_OVER_AFTER_MS)
      this.#handOverSoonIfSpent()
    } catch (error) {
      // The account could not be reached or crashed. The same hand-over will be sent again.
      this.#alarm.within(RETRY_AFTER_MS)
      this.#reportIfLasting(error, standing)
    }
  }

  #reportIfLasting(error: unknown, { accountId, keyId }: Owner): void {
    const now = Date.now()
    const trouble = this.ctx.storage.kv.get<Trouble>('trouble') ?? { since: now, reportedAt: null }
    const { since, reportedAt } = trouble
    const due = reportedAt === null ? since + REPORT_AFTER_MS : reportedAt + REPORT_AGAIN_AFTER_MS
    this.ctx.storage.kv.put('trouble', now < due ? trouble : { since, reportedAt: now })
    if (now < due) return
    reportFault({ kind: 'not_handed_over', account_id: accountId, key_id: keyId, ...failureOf(error) })
  }

  /** After a crash or an eviction: makes sure that an alarm is set for what is to be handed over. */
  async #resume(): Promise<void> {
    await this.#alarm.remember()
    this.#alarm.within(HAND_OVER_AFTER_MS)
  }

  #askAccount({ accountId, keyId, version }: Standing, now: number): void {
    // Also if the clock was ahead and has been set back.
    if (Math.abs(now - this.#askedAt) < ASK_AGAIN_AFTER_MS) return
    this.#askedAt = now
    const ask = this.env.ACCOUNT.getByName(accountId).standingOf(keyId, version)
    this.ctx.waitUntil(
      ask.then(
        news => this.#hear(news),
        () => undefined,
      ),
    )
  }
}
