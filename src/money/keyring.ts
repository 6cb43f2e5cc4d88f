import { type KeyKind, type Limits, limitsOf, type ReservedRates } from '../access/limits.ts'
import type { Standing } from '../access/standing.ts'

export const MAX_LIVE_KEYS = 100

export type RevocationReason = 'requested' | 'leaked'

export type ApiKeyInfo = {
  id: string
  kind: KeyKind
  name: string
  /** The first characters of the key. */
  hint: string
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  revokedBecause: RevocationReason | null
  reserved: ReservedRates
  limits: Limits
}

type NewKey = Pick<ApiKeyInfo, 'id' | 'kind' | 'name' | 'hint' | 'expiresAt'> & { hash: string }

type Row = Omit<ApiKeyInfo, 'reserved' | 'limits'> &
  ReservedRates & { hash: string; allowance: number; funded: number; version: number }

const COLUMNS = `id, hash, kind, name, hint, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt,
  revoked_because AS revokedBecause, requests_per_second AS requestsPerSecond, tokens_per_minute AS tokensPerMinute,
  allowance, funded, version`
const EXPIRY = `coalesce(expires_at, ${Number.MAX_SAFE_INTEGER})`
const LIVE = `revoked_at IS NULL AND ${EXPIRY} > ?`

/**
 * The keys of one account, and what their Gates were last told. Versions follow the clock, so that Gates that have
 * heard later news still believe an account that was restored to an earlier point in time.
 */
export class Keyring {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  static createTables(sql: SqlStorage): void {
    sql.exec(`
      CREATE TABLE IF NOT EXISTS keys (
        id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT NULL, hint TEXT NOT NULL,
        created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER, revoked_because TEXT,
        requests_per_second INTEGER, tokens_per_minute INTEGER,
        allowance INTEGER NOT NULL, funded INTEGER NOT NULL,
        version INTEGER NOT NULL, told_version INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS keys_created ON keys (created_at, id);
      CREATE INDEX IF NOT EXISTS keys_live ON keys (${EXPIRY}) WHERE revoked_at IS NULL;
      CREATE INDEX IF NOT EXISTS keys_revoked_untold ON keys (id)
        WHERE revoked_at IS NOT NULL AND told_version < version;
    `)
  }

  add({ id, hash, kind, name, hint, expiresAt }: NewKey, funded: boolean): void {
    const now = Date.now()
    this.#sql.exec(
      'INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, 0, ?, ?, 0)',
      ...[id, hash, kind, name, hint, now, expiresAt, funded ? 1 : 0, now],
    )
  }

  /** Takes a key back as if it had never been made. */
  withdraw(keyId: string): void {
    this.#sql.exec('DELETE FROM keys WHERE id = ?', keyId)
  }

  /** Newest first: up to `limit` of them, those that follow `after`. */
  list(limit: number, after: Pick<ApiKeyInfo, 'createdAt' | 'id'> | null): ApiKeyInfo[] {
    const { createdAt, id } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' }
    const page = 'WHERE (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?'
    return this.#rows(page, createdAt, id, limit).map(infoOf)
  }

  ids(): string[] {
    return this.#rows('').map(({ id }) => id)
  }

  find(keyId: string): ApiKeyInfo | null {
    const [row] = this.#rows('WHERE id = ?', keyId)
    return row ? infoOf(row) : null
  }

  /** Keys that may still be used, each of whose Gates holds an allowance. */
  live(): { id: string; hash: string; allowance: number }[] {
    return this.#rows(`WHERE ${LIVE}`, Date.now())
  }

  revoke(keyId: string, because: RevocationReason, at: number): void {
    this.#sql.exec(
      `UPDATE keys SET revoked_at = ?, revoked_because = ?, version = max(version + 1, ?)
       WHERE id = ? AND revoked_at IS NULL`,
      ...[at, because, at, keyId],
    )
  }

  reserve(keyId: string, { requestsPerSecond, tokensPerMinute }: ReservedRates): void {
    this.#sql.exec(
      `UPDATE keys SET requests_per_second = ?, tokens_per_minute = ?, version = max(version + 1, ?)
       WHERE id = ?`,
      ...[requestsPerSecond, tokensPerMinute, Date.now(), keyId],
    )
  }

  /** Sets what a key may spend before it must hand over; its Gate must hear of it. A revocation is the last it hears. */
  allow(keyId: string, allowance: number, funded: boolean): void {
    this.#sql.exec(
      `UPDATE keys SET allowance = ?, funded = ?, version = max(version + 1, ?)
       WHERE id = ? AND revoked_at IS NULL AND (allowance <> ? OR funded <> ?)`,
      ...[allowance, funded ? 1 : 0, Date.now(), keyId, allowance, funded ? 1 : 0],
    )
  }

  standing(keyId: string, accountId: string): Standing | null {
    const [row] = this.#rows('WHERE id = ?', keyId)
    return row ? standingOf(row, accountId) : null
  }

  /** If the account was restored since its Gate heard this version, makes what is known of the key news to it again. */
  outdo(keyId: string, heard: number): void {
    this.#sql.exec(
      'UPDATE keys SET version = max(? + 1, ?) WHERE id = ? AND version < ?',
      ...[heard, Date.now(), keyId, heard],
    )
  }

  /** Keys whose Gates have not heard the latest about them. A Gate knows by itself when its key expires. */
  untold(accountId: string): { hash: string; standing: Standing }[] {
    const live = this.#rows(`WHERE ${LIVE} AND told_version < version`, Date.now())
    const revoked = this.#rows('WHERE revoked_at IS NOT NULL AND told_version < version')
    return [...live, ...revoked].map(row => ({ hash: row.hash, standing: standingOf(row, accountId) }))
  }

  told(keyId: string, version: number): void {
    this.#sql.exec('UPDATE keys SET told_version = max(told_version, ?) WHERE id = ?', version, keyId)
  }

  #rows(where: string, ...bindings: SqlStorageValue[]): Row[] {
    return this.#sql.exec<Row>(`SELECT ${COLUMNS} FROM keys ${where}`, ...bindings).toArray()
  }
}

const standingOf = (row: Row, accountId: string): Standing => ({
  version: row.version,
  keyId: row.id,
  accountId,
  limits: limitsOf(row.kind, row),
  expiresAt: row.expiresAt,
  revoked: row.revokedAt !== null,
  funded: row.funded === 1,
  allowance: row.allowance,
})

const infoOf = (row: Row): ApiKeyInfo => {
  const { id, kind, name, hint, createdAt, expiresAt, revokedAt, revokedBecause } = row
  const { requestsPerSecond, tokensPerMinute } = row
  return {
    ...{ id, kind, name, hint, createdAt, expiresAt, revokedAt, revokedBecause },
    reserved: { requestsPerSecond, tokensPerMinute },
    limits: limitsOf(kind, row),
  }
}
