export type DayUsage = {
  requests: number
  inputTokens: number
  cachedTokens: number
  latencyMs: { p50: number; p95: number; p99: number } | null
  /** How many requests ended with each error code. */
  errors: Record<string, number>
}

/** What the rows up to `row` add up to. */
type Sums = {
  row: number
  requests: number
  inputTokens: number
  cachedTokens: number
  /** How many requests took so many milliseconds: a thousand times fewer entries than requests. */
  latencies: Map<number, number>
  errors: Map<string, number>
}

const STORED_AS = 'sums'
/** So many rows are added up anew at each reading, at most. */
const MAX_NOT_ADDED_UP = 10_000

/**
 * The totals of a day that may have millions of rows and many readers: its rows are added up as they come, and the sums
 * kept on disk, so that no reading takes longer than another.
 */
export class Totals {
  readonly #storage: DurableObjectStorage
  #kept: Sums | undefined
  /** Until they change. */
  #usage: DayUsage | undefined

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Call this after rows were added. */
  keepUp(): void {
    this.#usage = undefined
    const { newest } = this.#storage.sql
      .exec<{ newest: number | null }>('SELECT max(row) AS newest FROM requests')
      .one()
    if ((newest ?? 0) - this.#sums().row >= MAX_NOT_ADDED_UP) this.#addUp()
  }

  /**
   * Call this before the rows from before a time are deleted. Adding up anew what is left would take a reader of the
   * busiest days longer than the platform lets it.
   */
  takeOut(until: number): void {
    const before = this.#sums()
    // The plus keeps SQLite from looking through all rows that were added up.
    const gone = this.#sumsOf('at < ? AND +row <= ?', until, before.row)
    this.#usage = undefined
    // To be read again: should the deletion fail, what is written here is undone with it.
    this.#kept = undefined
    if (gone.requests > 0) this.#storage.kv.put(STORED_AS, combined(before, gone, -1))
  }

  /** Tokens are those of answered requests, and latencies those of answered decisions. */
  usage(): DayUsage {
    this.#usage ??= this.#read()
    return this.#usage
  }

  #read(): DayUsage {
    const { requests, inputTokens, cachedTokens, latencies, errors } = this.#addUp()
    const unlisted = this.#storage.sql
      .exec('SELECT error_code, unlisted FROM unpaid WHERE unlisted > 0')
      .raw<[code: string, times: number]>()
    const usage = { requests, inputTokens, cachedTokens, latencyMs: percentilesOf(latencies) }
    const allErrors = new Map(errors)
    for (const [code, times] of unlisted) {
      usage.requests += times
      if (code !== '') add(allErrors, code, times)
    }
    return { ...usage, errors: Object.fromEntries([...allErrors].sort()) }
  }

  #sums(): Sums {
    this.#kept ??= this.#storage.kv.get<Sums>(STORED_AS) ?? NOTHING
    return this.#kept
  }

  #addUp(): Sums {
    const before = this.#sums()
    const since = this.#sumsOf('row > ?', before.row)
    if (since.requests === 0) return before
    const sums = { ...combined(before, since, 1), row: since.row }
    if (sums.row - before.row >= MAX_NOT_ADDED_UP) {
      this.#kept = sums
      this.#storage.kv.put(STORED_AS, sums)
    }
    return sums
  }

  #sumsOf(rows: string, ...bindings: number[]): Sums {
    const { sql } = this.#storage
    const sums = sql
      .exec<Pick<Sums, 'row' | 'requests' | 'inputTokens' | 'cachedTokens'>>(
        `SELECT coalesce(max(row), 0) AS row, count(*) AS requests,
           coalesce(sum(iif(status = 200, input_tokens, 0)), 0) AS inputTokens,
           coalesce(sum(iif(status = 200, cached_tokens, 0)), 0) AS cachedTokens
         FROM requests WHERE ${rows}`,
        ...bindings,
      )
      .one()
    if (sums.requests === 0) return NOTHING
    // A calibration takes seconds, and a list of models no time: neither says how soon a decision is answered.
    const latencies = sql.exec(
      `SELECT latency_ms, count(*) FROM requests
       WHERE ${rows} AND status = 200 AND question_count > 0 AND path <> '/v1/calibrations' GROUP BY latency_ms`,
      ...bindings,
    )
    const errors = sql.exec(
      `SELECT error_code, count(*) FROM requests WHERE ${rows} AND error_code IS NOT NULL GROUP BY error_code`,
      ...bindings,
    )
    return {
      ...sums,
      latencies: new Map(latencies.raw<[ms: number, times: number]>()),
      errors: new Map(errors.raw<[code: string, times: number]>()),
    }
  }
}

const NOTHING: Sums = {
  ...{ row: 0, requests: 0, inputTokens: 0, cachedTokens: 0 },
  ...{ latencies: new Map(), errors: new Map() },
}

const combined = (sums: Sums, change: Sums, sign: 1 | -1): Sums => ({
  row: sums.row,
  requests: sums.requests + sign * change.requests,
  inputTokens: sums.inputTokens + sign * change.inputTokens,
  cachedTokens: sums.cachedTokens + sign * change.cachedTokens,
  latencies: counted(sums.latencies, change.latencies, sign),
  errors: counted(sums.errors, change.errors, sign),
})

const counted = <Key>(counts: ReadonlyMap<Key, number>, change: ReadonlyMap<Key, number>, sign: 1 | -1) => {
  const changed = new Map(counts)
  for (const [key, times] of change) add(changed, key, sign * times)
  return changed
}

/** Nothing is left of what was counted as often as it is taken out. */
const add = <Key>(counts: Map<Key, number>, key: Key, times: number): void => {
  const sum = (counts.get(key) ?? 0) + times
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}

const percentilesOf = (latencies: ReadonlyMap<number, number>): DayUsage['latencyMs'] => {
  if (latencies.size === 0) return null
  const shortestFirst = [...latencies].sort(([one], [other]) => one - other)
  const count = shortestFirst.reduce((sum, [, times]) => sum + times, 0)
  /** The latency that this share of the requests did not exceed. */
  const percentile = (share: number): number => {
    let left = Math.ceil(share * count)
    for (const [ms, times] of shortestFirst) {
      left -= times
      if (left <= 0) return ms
    }
    return 0
  }
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) }
}
