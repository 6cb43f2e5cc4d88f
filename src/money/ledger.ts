import type { Tally } from '../access/meter.ts'
import { dayOf } from '../day.ts'
import { MAX_BALANCE } from './nanodollars.ts'

export type CreditKind = 'starter' | 'top_up' | 'auto_reload' | 'refund' | 'dispute' | 'deduction'
export type Credit = { reference: string; kind: CreditKind; nanodollars: number; at: number }
/** All that one key was charged in one UTC day. */
export type Charge = {
  day: string
  keyId: string
  requests: number
  inputTokens: number
  nanodollars: number
}
/** Known, or known with another amount: the reference was booked before, and nothing changes. */
export type CreditOutcome = 'credited' | 'known' | 'other_amount' | 'too_much'

type Totals = { credits: number; charges: number }

const AFTER_EVERY_DAY = '9999-12-32'

/**
 * The books of one account. Credits are kept one by one under a reference that can be used once; charges are kept
 * per key and day, and the last hand-over of each key is remembered. The balance is credits less charges, always.
 */
export class Ledger {
  readonly #storage: DurableObjectStorage
  /** Taken from the entries once, then kept up with: an account may have years of them, and another every second. */
  #totals: Totals | null = null

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  static createTables(sql: SqlStorage): void {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS balance (only INTEGER PRIMARY KEY CHECK (only = 1), nanodollars INTEGER NOT NULL);
      INSERT OR IGNORE INTO balance VALUES (1, 0);
      CREATE TABLE IF NOT EXISTS credits (
        reference TEXT PRIMARY KEY, kind TEXT NOT NULL, nanodollars INTEGER NOT NULL, at INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS credits_at ON credits (at, reference);
      CREATE TABLE IF NOT EXISTS charges (
        day TEXT NOT NULL, key_id TEXT NOT NULL, requests INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
        nanodollars INTEGER NOT NULL, PRIMARY KEY (day, key_id)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS handovers (key_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL) WITHOUT ROWID;
    `)
  }

  get balance(): number {
    return this.#number('SELECT nanodollars AS value FROM balance')
  }

  /** Books a credit once: the same reference again changes nothing. */
  credit(credit: Credit): CreditOutcome {
    return this.#storage.transactionSync(() => {
      const { reference, kind, nanodollars, at } = credit
      const [booked] = this.#sql
        .exec<Pick<Credit, 'nanodollars'>>('SELECT nanodollars FROM credits WHERE reference = ?', reference)
        .toArray()
      if (booked !== undefined) return booked.nanodollars === nanodollars ? 'known' : 'other_amount'
      const balance = this.balance + nanodollars
      if (nanodollars > 0 ? balance > MAX_BALANCE : balance < -MAX_BALANCE) return 'too_much'
      this.#sql.exec('INSERT INTO credits VALUES (?, ?, ?, ?)', reference, kind, nanodollars, at)
      this.#add('credits', nanodollars)
      return 'credited'
    })
  }

  /** Books a key's hand-over once: a number already seen, or passed, changes nothing. */
  charge(keyId: string, sequence: number, tally: Tally, at: number): void {
    this.#storage.transactionSync(() => {
      const last = this.#number('SELECT max(sequence) AS value FROM handovers WHERE key_id = ?', keyId)
      if (sequence <= last) return
      this.#sql.exec(
        'INSERT INTO handovers VALUES (?, ?) ON CONFLICT (key_id) DO UPDATE SET sequence = excluded.sequence',
        keyId,
        sequence,
      )
      this.#sql.exec(
        `INSERT INTO charges VALUES (?, ?, ?, ?, ?) ON CONFLICT (day, key_id) DO UPDATE SET
           requests = requests + excluded.requests,
           input_tokens = input_tokens + excluded.input_tokens,
           nanodollars = nanodollars + excluded.nanodollars`,
        dayOf(at),
        keyId,
        tally.requests,
        tally.inputTokens,
        tally.nanodollars,
      )
      this.#add('charges', tally.nanodollars)
    })
  }

  /** The sums of all credits and of all charges, whose difference the balance must equal. */
  totals(): Totals {
    this.#totals ??= {
      credits: this.#number('SELECT coalesce(sum(nanodollars), 0) AS value FROM credits'),
      charges: this.#number('SELECT coalesce(sum(nanodollars), 0) AS value FROM charges'),
    }
    return this.#totals
  }

  /** Newest first: up to `limit` of them, those that follow `after`. */
  credits(limit: number, after: Pick<Credit, 'at' | 'reference'> | null): Credit[] {
    const { at, reference } = after ?? { at: Number.MAX_SAFE_INTEGER, reference: '' }
    return this.#sql
      .exec<Credit>(
        `SELECT reference, kind, nanodollars, at FROM credits WHERE (at, reference) < (?, ?)
         ORDER BY at DESC, reference DESC LIMIT ?`,
        ...[at, reference, limit],
      )
      .toArray()
  }

  /** The latest day first. */
  charges(limit: number, after: Pick<Charge, 'day' | 'keyId'> | null): Charge[] {
    const { day, keyId } = after ?? { day: AFTER_EVERY_DAY, keyId: '' }
    return this.#sql
      .exec<Charge>(
        `SELECT day, key_id AS keyId, requests, input_tokens AS inputTokens, nanodollars FROM charges
         WHERE (day, key_id) < (?, ?) ORDER BY day DESC, key_id DESC LIMIT ?`,
        ...[day, keyId, limit],
      )
      .toArray()
  }

  get #sql(): SqlStorage {
    return this.#storage.sql
  }

  /** The last step of a booking: from here on, nothing undoes it. */
  #add(to: keyof Totals, nanodollars: number): void {
    const change = to === 'credits' ? nanodollars : -nanodollars
    this.#sql.exec('UPDATE balance SET nanodollars = nanodollars + ?', change)
    if (this.#totals !== null) this.#totals[to] += nanodollars
  }

  #number(query: string, ...bindings: SqlStorageValue[]): number {
    return this.#sql.exec<{ value: number | null }>(query, ...bindings).one().value ?? 0
  }
}
