import { DurableObject } from 'cloudflare:workers'
import { SoonestAlarm } from '../soonest-alarm.ts'
import type { Owner, Rates, Refused, Spent } from './admission.ts'
import { Buckets, type TokenWindow } from './buckets.ts'
import type { Taken } from './limiter.ts'
import { acknowledge, count, emptyMeter, type Meter, seal, unsettled } from './meter.ts'
import { isLive, type Standing } from './standing.ts'

/** Usage reaches the account this long after it began, or sooner when the key's allowance is spent. */
const SETTLE_AFTER_MS = 60_000
const SETTLE_SOON_MS = 1_000
const RETRY_AFTER_MS = 15_000
/** Usage reaches the disk this long after it was counted: a crash loses at most so much of it, uncharged. */
const WRITE_AFTER_MS = 150
/** A reservation whose request never came back is forgotten. No request takes as long. */
const RESERVATION_LIFE_MS = 24 * 3_600_000
/** An unfunded key asks its account again, in case the good news was lost. */
const ASK_AGAIN_AFTER_MS = 10_000

/** Reading one's own account is counted apart from decisions. */
const READS_PER_SECOND = { requestsPerSecond: 5, burst: 20, tokensPerMinute: 0 }

/**
 * What was reserved, and by which life of the object. An idle object leaves memory within seconds, so a long request
 * is often settled in a later life than admitted it.
 */
export type Reservation = { life: string; number: number; taken: Taken }

export type GateAdmission = (Owner & { kind: 'admitted'; rates: Rates; reservation: Reservation }) | Refused

export type Settlement = Spent & { reservation: Reservation }

export type Identity =
  | (Owner & { kind: 'known'; rates: Rates })
  | { kind: 'invalid_api_key' }
  | (Owner & { kind: 'rate_limited'; rates: Rates; retryAfterSeconds: number })

/** The window is written with the meter, so that a pause does not fill the token bucket. */
type Kept = Meter & { window?: TokenWindow | undefined }

/** What the account has said of the key, and the buckets that go by it. */
type Key = { standing: Standing; buckets: Buckets }

/** One per API key, named by the key's SHA-256: is the key good, is there money, may this request pass. */
export class Gate extends DurableObject<Env> {
  /** Undefined until its account tells of it: there may be no such key. */
  #key: Key | undefined
  #meter: Meter
  readonly #reads = new Buckets(READS_PER_SECOND, Date.now())
  /** When the reservations of this life that are not settled were made, oldest first. */
  #open = new Map<number, number>()
  #nextReservation = 0
  /** No more than were under way when the object last left memory. */
  readonly #settledOfEarlierLives = new Set<string>()
  readonly #life = crypto.randomUUID()
  #writePending = false
  #settling: Promise<void> | undefined
  readonly #alarm = new SoonestAlarm(this.ctx)
  #askedAt = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const standing = ctx.storage.kv.get<Standing>('standing')
    const { window, ...meter }: Kept = ctx.storage.kv.get<Kept>('meter') ?? emptyMeter
    this.#key = standing && { standing, buckets: new Buckets(standing.limits, Date.now(), window) }
    this.#meter = meter
    if (unsettled(this.#meter) > 0) void ctx.blockConcurrencyWhile(() => this.#resume())
  }

  /** Counts one request and reserves the tokens, once earlier requests that come along are settled. */
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

  /** Replaces reservations by what was really used. Settling one twice changes nothing. */
  settle(settlements: readonly Settlement[]): void {
    const now = Date.now()
    for (const settlement of settlements) this.#settle(settlement, now)
  }

  /** Forgets an admission that another limiter did not agree to. */
  cancel({ life, number, taken }: Reservation): void {
    if (life === this.#life && this.#open.delete(number)) this.#key?.buckets.undo(taken)
  }

  /** Whose key this is, for reading the account: an empty balance does not matter, decisions are not counted. */
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

  /** Whether the key is good at all; nothing is counted. */
  isLive(): boolean {
    return this.#key !== undefined && isLive(this.#key.standing, Date.now())
  }

  /** Where a leaked key belongs; nothing is counted. */
  owner(): Owner | null {
    if (this.#key === undefined) return null
    const { keyId, accountId } = this.#key.standing
    return { keyId, accountId }
  }

  /** Takes the account's word about the key, unless it says less than was said before. Returns once it is on disk. */
  adopt(standing: Standing): void {
    const before = this.#key?.standing
    if (before !== undefined && standing.version <= before.version) return
    // An account that was set back in time has forgotten what it revoked since.
    this.#keep({ ...standing, revoked: standing.revoked || before?.revoked === true })
  }

  /** Ends the key for good, whatever its account knows of it. Returns once it is on disk. */
  revoke(): void {
    if (this.#key !== undefined) this.#keep({ ...this.#key.standing, revoked: true })
  }

  /** Hands over whatever is unsettled, now. */
  async report(): Promise<void> {
    await this.#handOver()
  }

  override async alarm(): Promise<void> {
    this.#alarm.rang()
    await this.#handOver()
  }

  /** Null from an account that was set back to before the key was made: it could neither list nor revoke it. */
  #hear(told: Standing | null): void {
    if (told === null) this.revoke()
    else this.adopt(told)
  }

  #keep(standing: Standing): void {
    this.ctx.storage.kv.put('standing', standing)
    const buckets = this.#key?.buckets ?? new Buckets(standing.limits, Date.now())
    buckets.relimit(standing.limits)
    this.#key = { standing, buckets }
  }

  #settle({ reservation: { life, number, taken }, ...spent }: Settlement, now: number): void {
    if (this.#key === undefined) return
    const { standing, buckets } = this.#key
    if (life === this.#life) {
      if (!this.#open.delete(number)) return
      buckets.correct(taken, spent.inputTokens)
    } else {
      const name = `${life}:${number}`
      if (this.#settledOfEarlierLives.has(name)) return
      this.#settledOfEarlierLives.add(name)
      buckets.use(taken, spent.inputTokens, now)
    }
    if (spent.costNanodollars > 0) this.#charge(spent, standing)
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

  #charge(spent: Spent, standing: Standing): void {
    this.#meter = count(this.#meter, spent)
    const spentAll = unsettled(this.#meter) >= standing.allowance
    if (spentAll) this.#alarm.within(SETTLE_SOON_MS)
    if (this.#writePending) return
    this.#writePending = true
    // Not a promise of the request's: the object lives on while the timer runs.
    setTimeout(() => {
      this.#writePending = false
      this.#writeMeter()
      this.#alarm.within(SETTLE_AFTER_MS)
    }, WRITE_AFTER_MS)
  }

  #writeMeter(): void {
    this.ctx.storage.kv.put('meter', { ...this.#meter, window: this.#key?.buckets.window } satisfies Kept)
  }

  #handOver(): Promise<void> {
    this.#settling ??= this.#send().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }

  async #send(): Promise<void> {
    const standing = this.#key?.standing
    if (standing === undefined) return
    const sentBefore = this.#meter.sealed !== null
    this.#meter = seal(this.#meter)
    const { sequence, sealed } = this.#meter
    if (sealed === null) return
    // The platform holds the call below back until this is on disk, so what is sent can be sent again unchanged.
    this.#writeMeter()
    try {
      const account = this.env.ACCOUNT.getByName(standing.accountId)
      const told = await account.settle(standing.keyId, sequence, sealed)
      this.#hear(told)
      this.#meter = acknowledge(this.#meter)
      this.#writeMeter()
      // What was counted since that first attempt is due as well.
      if (sentBefore) return await this.#send()
      if (this.#meter.open.requests > 0) this.#alarm.within(SETTLE_AFTER_MS)
    } catch {
      // The account could not be reached or fell over. The same hand-over goes out again.
      this.#alarm.within(RETRY_AFTER_MS)
    }
  }

  /** After a crash or an eviction: what is unsettled still has an alarm coming, or gets one. */
  async #resume(): Promise<void> {
    await this.#alarm.remember()
    this.#alarm.within(SETTLE_AFTER_MS)
  }

  #askAccount({ accountId, keyId }: Owner, now: number): void {
    if (now - this.#askedAt < ASK_AGAIN_AFTER_MS) return
    this.#askedAt = now
    const ask = this.env.ACCOUNT.getByName(accountId).standingOf(keyId)
    this.ctx.waitUntil(
      ask.then(
        told => this.#hear(told),
        () => undefined,
      ),
    )
  }
}
