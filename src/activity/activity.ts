import { DurableObject } from 'cloudflare:workers'
import { KEPT_MS } from './days.ts'
import type { ActivityFilter, Position } from './query.ts'
import type { ActivityRecord } from './record.ts'
import { type DayUsage, Totals } from './totals.ts'

const SWEEP_EVERY_MS = 60 * 60_000
/** A flood of requests that cost its sender nothing would otherwise cost the operator a row each. */
const MAX_UNPAID_ROWS = 100_000

/** What is kept about a request: the fields the specification names, and nothing else. */
export type ActivityRow = Omit<ActivityRecord, 'accountId'>
export type PlacedRow = ActivityRow & { row: number }

/** The usage of a day without requests. */
const NOTHING: DayUsage = { requests: 0, inputTokens: 0, cachedTokens: 0, latencyMs: null, errors: {} }

/**
 * One per account and UTC day. Each row is deleted 30 days after its request, and the object with the last row. Of
 * requests that used no tokens, those beyond `MAX_UNPAID_ROWS` are only counted.
 */
export class Activity extends DurableObject<Env> {
  #prepared = false
  readonly #totals = new Totals(this.ctx.storage)

  async append(rows: ActivityRow[]): Promise<void> {
    // First, because no row may exist without a sweep ahead.
    await this.#ensureSweep(Math.min(...rows.map(row => row.at)))
    this.#prepare()
    this.ctx.storage.transactionSync(() => {
      const unpaid = rows.filter(({ inputTokens }) => inputTokens === 0)
      const unlisted = new Set(unpaid.slice(Math.max(0, MAX_UNPAID_ROWS - this.#unpaid())))
      for (const row of rows) if (!unlisted.has(row)) this.#insert(row)
      this.#count(unpaid, unlisted)
    })
    this.#totals.keepUp()
  }

  /** Rows of this day that pass the filter, newest first, after a position. */
  page(filter: ActivityFilter, after: Position | null, limit: number): PlacedRow[] {
    if (!this.#exists()) return []
    const { clause, bindings } = conditionOf(filter, after)
    return this.ctx.storage.sql
      .exec<PlacedRow>(
        `SELECT row, at, request_id AS requestId, key_id AS keyId, path, status, error_code AS errorCode,
           latency_ms AS latencyMs, model, region, input_tokens AS inputTokens,
           cached_tokens AS cachedTokens, question_count AS questionCount
         FROM requests WHERE ${clause} ORDER BY at DESC, row DESC LIMIT ?`,
        ...bindings,
        limit,
      )
      .toArray()
  }

  usage(): DayUsage {
    if (!this.#exists()) return NOTHING
    return this.#totals.usage()
  }

  override async alarm(): Promise<void> {
    if (!this.#exists()) return
    const { storage } = this.ctx
    // First, because an alarm that fails a few times is given up, and rows it did not reach would stay for good.
    await storage.setAlarm(Date.now() + SWEEP_EVERY_MS)
    const until = Date.now() - KEPT_MS
    storage.transactionSync(() => {
      this.#totals.takeOut(until)
      storage.sql.exec('DELETE FROM requests WHERE at < ?', until)
    })
    if (storage.sql.exec('SELECT 1 FROM requests LIMIT 1').toArray().length > 0) return
    this.#prepared = false
    await storage.deleteAll()
  }

  #insert(row: ActivityRow): void {
    this.ctx.storage.sql.exec(
      'INSERT INTO requests VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[row.at, row.requestId, row.keyId, row.path, row.status, row.errorCode, row.latencyMs],
      ...[row.model, row.region, row.inputTokens, row.cachedTokens, row.questionCount],
    )
  }

  #unpaid(): number {
    const { sql } = this.ctx.storage
    return sql.exec<{ rows: number }>('SELECT coalesce(sum(listed), 0) AS rows FROM unpaid').one().rows
  }

  /** One write for each code, however many the requests. */
  #count(unpaid: readonly ActivityRow[], unlisted: ReadonlySet<ActivityRow>): void {
    for (const [code, some] of Map.groupBy(unpaid, ({ errorCode }) => errorCode ?? '')) {
      const over = some.filter(row => unlisted.has(row)).length
      this.ctx.storage.sql.exec(
        `INSERT INTO unpaid VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET listed = listed + excluded.listed, unlisted = unlisted + excluded.unlisted`,
        ...[code, some.length - over, over],
      )
    }
  }

  async #ensureSweep(oldest: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return
    // One sweep an hour from the time the day's first row is due.
    await this.ctx.storage.setAlarm(oldest + KEPT_MS + 1)
  }

  /** An object that was only read, never written to, stays without storage. */
  #exists(): boolean {
    if (this.#prepared) return true
    const { sql } = this.ctx.storage
    if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'requests'").toArray().length > 0) this.#prepare()
    return this.#prepared
  }

  #prepare(): void {
    if (this.#prepared) return
    this.ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS requests (
        row INTEGER PRIMARY KEY, at INTEGER NOT NULL, request_id TEXT NOT NULL, key_id TEXT, path TEXT NOT NULL,
        status INTEGER NOT NULL, error_code TEXT, latency_ms REAL NOT NULL, model TEXT, region TEXT NOT NULL,
        input_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL, question_count INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS requests_at ON requests (at);
      CREATE TABLE IF NOT EXISTS unpaid (
        error_code TEXT PRIMARY KEY, listed INTEGER NOT NULL, unlisted INTEGER NOT NULL
      ) WITHOUT ROWID;
    `)
    this.#prepared = true
  }
}

const conditionOf = (
  filter: ActivityFilter,
  after: Position | null,
): { clause: string; bindings: (string | number)[] } => {
  // SQLite would not see by itself that what follows the position lies before its time.
  const until = after === null ? filter.until : Math.min(filter.until, after.at + 1)
  const parts: [clause: string, ...bindings: (string | number)[]][] = [
    ['at >= ? AND at < ?', filter.from, until],
  ]
  if (after !== null) parts.push(['(at < ? OR (at = ? AND row < ?))', after.at, after.at, after.row])
  for (const column of ['request_id', 'key_id', 'path', 'error_code'] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) parts.push([`${column} = ?`, wanted])
  }
  if (filter.status !== undefined) {
    const [low, high] = [filter.status.replace('xx', '00'), filter.status.replace('xx', '99')]
    parts.push(['status BETWEEN ? AND ?', Number(low), Number(high)])
  }
  return {
    clause: parts.map(([clause]) => clause).join(' AND '),
    bindings: parts.flatMap(([, ...bindings]) => bindings),
  }
}
