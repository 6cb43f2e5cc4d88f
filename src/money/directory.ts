import { DurableObject } from 'cloudflare:workers'

export type DirectoryEntry = { id: string; name: string; createdAt: number; closedAt: number | null }

/** One for the whole service: lists the accounts in the order of their ids, and says whose a key is. */
export class Directory extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS accounts (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS closings (account_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, account_id TEXT NOT NULL) WITHOUT ROWID;
    `)
  }

  enter({ id, name, createdAt, closedAt }: DirectoryEntry): void {
    const { sql } = this.ctx.storage
    sql.exec('INSERT OR REPLACE INTO accounts VALUES (?, ?, ?)', id, name, createdAt)
    if (closedAt === null) sql.exec('DELETE FROM closings WHERE account_id = ?', id)
    else sql.exec('INSERT OR REPLACE INTO closings VALUES (?, ?)', id, closedAt)
  }

  enterKeys(accountId: string, keyIds: readonly string[]): void {
    for (const id of keyIds)
      this.ctx.storage.sql.exec('INSERT OR IGNORE INTO keys VALUES (?, ?)', id, accountId)
  }

  /** The account that made the key. It may have forgotten the key since, or taken it back. */
  accountOf(keyId: string): string | null {
    const [row] = this.ctx.storage.sql
      .exec<{ accountId: string }>('SELECT account_id AS accountId FROM keys WHERE id = ?', keyId)
      .toArray()
    return row?.accountId ?? null
  }

  /** Up to `limit` accounts after the one with the id `after`. */
  list(after: string, limit: number): DirectoryEntry[] {
    return this.ctx.storage.sql
      .exec<DirectoryEntry>(
        `SELECT id, name, created_at AS createdAt, at AS closedAt
         FROM accounts LEFT JOIN closings ON account_id = id WHERE id > ? ORDER BY id LIMIT ?`,
        after,
        limit,
      )
      .toArray()
  }
}
