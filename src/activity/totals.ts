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

  /** Call this after rows were deleted. */
  forget(): void {
    this.#usage = undefined
    this.#kept = undefined
    this.#storage.kv.delete(STORED_AS)
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
    const { sql } = this.#storage
    const since = sql
      .exec<Pick<Sums, 'row' | 'requests' | 'inputTokens' | 'cachedTokens'>>(
        `SELECT coalesce(max(row), 0) AS row, count(*) AS requests,
           coalesce(sum(iif(status = 200, input_tokens, 0)), 0) AS inputTokens,
           coalesce(sum(iif(status = 200, cached_tokens, 0)), 0) AS cachedTokens
         FROM requests WHERE row > ?`,
        before.row,
      )
      .one()
    if (since.requests === 0) return before
    const sums: Sums = {
      row: since.row,
      requests: before.requests + since.requests,
      inputTokens: before.inputTokens + since.inputTokens,
      cachedTokens: before.cachedTokens + since.cachedTokens,
      latencies: new Map(before.latencies),
      errors: new Map(before.errors),
    }
    // A calibration takes seconds, and a list of models no time: neither says how soon a decision is answered.
    const latencies = sql.exec(
      `SELECT latency_ms, count(*) FROM requests
       WHERE row > ? AND status = 200 AND question_count > 0 AND path <> '/v1/calibrations' GROUP BY latency_ms`,
      before.row,
    )
    for (const [ms, times] of latencies.raw<[ms: number, times: number]>()) add(sums.latencies, ms, times)
    const errors = sql.exec(
      'SELECT error_code, count(*) FROM requests WHERE row > ? AND error_code IS NOT NULL GROUP BY error_code',
      before.row,
    )
    for (const [code, times] of errors.raw<[code: string, times: number]>()) add(sums.errors, code, times)
    if (sums.row - before.row >= MAX_NOT_ADDED_UP) {
      this.#kept = sums
      this.#storage.kv.put(STORED_AS, sums)
    }
    return sums
  }
}

const NOTHING: Sums = {
  ...{ row: 0, requests: 0, inputTokens: 0, cachedTokens: 0 },
  ...{ latencies: new Map(), errors: new Map() },
}

const add = <Key>(counts: Map<Key, number>, key: Key, times: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + times)
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
