import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dayOf } from '../day.ts'
import { costOf } from '../testing/sql-cost.ts'
import { Activity } from './activity.ts'
import { DAY_MS, objectName } from './days.ts'
import { activityLog } from './log.ts'
import type { ActivityQuery } from './query.ts'
import { readActivity, readUsage } from './reader.ts'
import type { ActivityRecord } from './record.ts'

/** Far ahead: the platform moves an alarm that would be overdue to its own time. */
const NOW = Date.parse('2126-11-21T12:00:00Z')
const ANY = { from: 0, until: 1e15 }

let lines: string[]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  lines = []
  vi.spyOn(console, 'log').mockImplementation(line => lines.push(String(line)))
})
afterEach(() => {
  vi.useRealTimers()
})

const setup = () => {
  const accountId = `acct_${randomUUID()}`
  const record = (entry: Partial<ActivityRecord>): ActivityRecord => ({
    requestId: `req_${randomUUID()}`,
    keyId: 'key_1',
    accountId,
    path: '/v1/decisions',
    status: 200,
    errorCode: null,
    latencyMs: 40,
    model: 'decider-preview-2026-10-13',
    region: 'us',
    inputTokens: 100,
    cachedTokens: 0,
    questionCount: 1,
    at: NOW,
    ...entry,
  })
  const lost: number[] = []
  const activities = activityLog(env.ACTIVITY, requests => lost.push(requests))
  const log = async (...entries: Partial<ActivityRecord>[]) => {
    await Promise.all(entries.map(entry => activities.record(record(entry))))
  }
  const page = (query: Partial<ActivityQuery> = {}) =>
    readActivity(env.ACTIVITY, accountId, { ...ANY, limit: 50, ...query }, Date.now())
  /** Holds the requests of this day. */
  const today = env.ACTIVITY.getByName(objectName(accountId, dayOf(NOW)))
  return { accountId, log, lost, page, today }
}

describe('a request', () => {
  it('is kept with the fields of the specification and no others', async () => {
    const { log, page, today } = setup()
    const entry: Partial<ActivityRecord> = {
      requestId: 'req_1',
      keyId: 'key_1',
      path: '/v1/decisions',
      status: 200,
      errorCode: null,
      latencyMs: 41.25,
      model: 'decider-preview-2026-10-13',
      region: 'us',
      inputTokens: 100,
      cachedTokens: 60,
      questionCount: 3,
      at: NOW,
    }
    await log(entry)
    expect((await page()).rows).toEqual([{ row: 1, ...entry }])
    const columns = await runInDurableObject(today, (_, state) =>
      state.storage.sql.exec("SELECT name FROM pragma_table_info('requests')").toArray(),
    )
    expect(columns.map(({ name }) => name)).toEqual([
      ...['row', 'at', 'request_id', 'key_id', 'path', 'status', 'error_code', 'latency_ms', 'model'],
      ...['region', 'input_tokens', 'cached_tokens', 'question_count'],
    ])
  })

  it('gets one line in the log, with fields of the specification only', async () => {
    const { log } = setup()
    await log({ requestId: 'req_1', status: 429, errorCode: 'rate_limited', model: null })
    expect(lines.map(line => JSON.parse(line))).toEqual([
      {
        request_id: 'req_1',
        key_id: 'key_1',
        path: '/v1/decisions',
        status: 429,
        error_code: 'rate_limited',
        latency_ms: 40,
        model: null,
        region: 'us',
        input_tokens: 100,
        cached_tokens: 0,
        question_count: 1,
      },
    ])
  })

  it('without a valid key gets its line and is kept nowhere', async () => {
    const { log, page } = setup()
    await log({ accountId: null, keyId: null, status: 401, errorCode: 'invalid_api_key' })
    expect(lines).toHaveLength(1)
    expect((await page()).rows).toEqual([])
  })

  it('is carried by the next one if the one that should have carried it was cut off', async () => {
    const { log, page } = setup()
    vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce(() => 0 as never)
    void log({ requestId: 'a' })
    vi.setSystemTime(NOW + 2_000)
    await log({ requestId: 'b' })
    expect((await page()).rows.map(row => row.requestId).sort()).toEqual(['a', 'b'])
  })

  it('that cannot be kept is reported, and the next one is kept', async () => {
    const { log, lost, page } = setup()
    vi.spyOn(Activity.prototype, 'append').mockRejectedValueOnce(new Error('reset'))
    await log({}, {})
    expect(lost).toEqual([2])
    await log({ requestId: 'req_next' })
    expect((await page()).rows.map(row => row.requestId)).toEqual(['req_next'])
  })
})

describe('requests that used no tokens', () => {
  const refused = { status: 429, errorCode: 'rate_limited', inputTokens: 0 } as const

  it('are counted but not listed once a day has 100,000 of them; the others still are', async () => {
    const { log, page, today } = setup()
    await log({ ...refused, requestId: 'first', at: NOW - 3 })
    await runInDurableObject(today, (_, { storage }) => storage.sql.exec('UPDATE unpaid SET listed = 99_998'))
    await log(
      { ...refused, requestId: 'last but one', at: NOW - 2 },
      { requestId: 'paid', at: NOW - 1 },
      { inputTokens: 0, requestId: 'last' },
      { ...refused, status: 402, errorCode: 'insufficient_credits' },
      { inputTokens: 0 },
    )
    await log(refused, refused, { requestId: 'paid again', at: NOW + 1 })
    await log(refused)
    const { rows } = await page()
    expect(rows.map(row => row.requestId)).toEqual(['paid again', 'last', 'paid', 'last but one', 'first'])
    const usage = await today.usage()
    expect(usage).toMatchObject({ requests: 10, inputTokens: 200 })
    expect(usage.errors).toEqual({ insufficient_credits: 1, rate_limited: 5 })
  })
})

describe('pages', () => {
  it.each([1, 3, 5, 8])('of %i continue from the last one, across days and equal times', async limit => {
    const { log, page } = setup()
    const midnight = Date.parse('2126-11-20')
    const at = [NOW, NOW - 1, NOW, midnight, midnight, NOW - 9 * DAY_MS, NOW - 9 * DAY_MS, NOW - 20 * DAY_MS]
    await log(...at.map((time, i) => ({ at: time, requestId: `r${i}` })))
    const seen: string[] = []
    let cursor: ActivityQuery['cursor']
    let pages = 0
    do {
      const { rows, next } = await page({ limit, cursor })
      seen.push(...rows.map(row => row.requestId))
      cursor = next ?? undefined
      pages += 1
    } while (cursor !== undefined)
    expect(pages).toBe(Math.ceil(at.length / limit))
    const newestFirst = at.map((time, i) => ({ time, i })).sort((a, b) => b.time - a.time || b.i - a.i)
    expect(seen).toEqual(newestFirst.map(({ i }) => `r${i}`))
  })

  it('of a busy day read little more of it than they show', async () => {
    const { log, today } = setup()
    await log({})
    const [read, given] = await runInDurableObject(today, (activity, { storage: { sql } }) => {
      repeatRequest(sql)
      return costOf(sql, () => activity.page(ANY, null, 50))
    })
    expect(given).toBe(50)
    expect(read).toBeLessThan(3 * given)
  })

  it('deep in a busy day read no more of it than the first', async () => {
    const { log, today } = setup()
    await log({})
    const [read, given] = await runInDurableObject(today, (activity, { storage: { sql } }) => {
      repeatRequest(sql)
      sql.exec('UPDATE requests SET at = at - row / 10')
      const [middle] = activity.page({ ...ANY, until: NOW - 100 }, null, 1)
      return costOf(sql, () => activity.page(ANY, middle ?? null, 50))
    })
    expect(given).toBe(50)
    expect(read).toBeLessThan(3 * given)
  })

  it('end without a cursor even if the last one is full', async () => {
    const { log, page } = setup()
    await log({}, {})
    expect((await page({ limit: 2 })).next).toBeNull()
    expect((await page({ limit: 1 })).next).not.toBeNull()
  })
})

describe('thirty days', () => {
  it('after a request it is no longer shown, and then deleted with its object', async () => {
    const { log, page, today } = setup()
    await log({ at: NOW - 1_000 }, { at: NOW })
    vi.setSystemTime(NOW + 30 * DAY_MS - 1)
    expect((await page()).rows).toHaveLength(1)
    await runDurableObjectAlarm(today)
    expect(await runInDurableObject(today, rowsOf)).toBe(1)
    vi.setSystemTime(NOW + 30 * DAY_MS + 1)
    await runDurableObjectAlarm(today)
    expect(await runInDurableObject(today, tablesOf)).toEqual([])
    expect(await runDurableObjectAlarm(today)).toBe(false)
    expect((await page()).rows).toEqual([])
  })

  it('do not end with a failed sweep: it runs again within the hour', async () => {
    const { log, today } = setup()
    await log({ at: NOW })
    await runInDurableObject(today, (_, state) => {
      state.storage.sql.exec(
        "CREATE TRIGGER stuck BEFORE DELETE ON requests BEGIN SELECT raise(ABORT, 'stuck'); END",
      )
    })
    vi.setSystemTime(NOW + 30 * DAY_MS + 1)
    await runInDurableObject(today, async (activity, state) => {
      await state.storage.deleteAlarm()
      await expect(activity.alarm()).rejects.toThrow('stuck')
      expect(await state.storage.getAlarm()).toBe(Date.now() + 60 * 60_000)
      state.storage.sql.exec('DROP TRIGGER stuck')
    })
    await runDurableObjectAlarm(today)
    expect(await runInDurableObject(today, tablesOf)).toEqual([])
  })

  it('do not begin without a sweep at their end', async () => {
    const { log, lost, today } = setup()
    await runInDurableObject(today, (_, { storage }) => {
      vi.spyOn(storage, 'setAlarm').mockRejectedValueOnce(new Error('The disk is full.'))
    })
    await log({})
    expect(lost).toEqual([1])
    expect(await runInDurableObject(today, tablesOf)).toEqual([])
  })

  it('are counted from the first request of the day', async () => {
    const { log, today } = setup()
    await log({ at: NOW + 1 }, { at: NOW })
    await log({ at: NOW + 2 })
    const due = await runInDurableObject(today, (_, state) => state.storage.getAlarm())
    expect(due).toBe(NOW + 30 * DAY_MS + 1)
  })

  it('end quietly for a day whose only request could not be kept', async () => {
    const { today } = setup()
    await runInDurableObject(today, (_, { storage }) => storage.setAlarm(NOW + 30 * DAY_MS))
    expect(await runDurableObjectAlarm(today)).toBe(true)
    expect(await runDurableObjectAlarm(today)).toBe(false)
  })

  it('never begin for a day that was only read', async () => {
    const { accountId, page, today } = setup()
    await page()
    await readUsage(env.ACTIVITY, accountId, NOW)
    expect(await runInDurableObject(today, tablesOf)).toEqual([])
  })
})

describe('usage', () => {
  it('adds up each of the last thirty days', async () => {
    const { accountId, log } = setup()
    const latencies = Array.from({ length: 99 }, (_, i) => ({
      latencyMs: 1 + Math.floor((98 - i) / 7),
      cachedTokens: 10,
    }))
    await log(
      ...latencies,
      { latencyMs: 500, cachedTokens: 10 },
      {
        status: 503,
        errorCode: 'engine_timeout',
        latencyMs: 10_000,
        inputTokens: 7,
        cachedTokens: 7,
      },
    )
    await log({ at: NOW - 29 * DAY_MS }, { at: NOW - 31 * DAY_MS })
    const days = await readUsage(env.ACTIVITY, accountId, NOW)
    expect(days).toHaveLength(30)
    expect(days[0]).toEqual({
      day: '2126-11-21',
      usage: {
        requests: 101,
        inputTokens: 10_000,
        cachedTokens: 1_000,
        // The latencies of the 50th, 95th and 99th of a hundred answers.
        latencyMs: { p50: 8, p95: 14, p99: 15 },
        errors: { engine_timeout: 1 },
      },
    })
    expect(days[1]).toMatchObject({ day: '2126-11-20', usage: { requests: 0, latencyMs: null } })
    expect(days[29]).toMatchObject({ day: '2126-10-23', usage: { requests: 1 } })
  })

  it('is told of a day that an earlier version began, too', async () => {
    const { log, today } = setup()
    await log({})
    const usage = await runInDurableObject(today, (_, state) => {
      state.storage.sql.exec('DROP TABLE unpaid')
      return new Activity(state, env).usage()
    })
    expect(usage).toMatchObject({ requests: 1 })
  })

  it('takes latencies from decisions only, whatever else was answered', async () => {
    const { log, today } = setup()
    await log(
      { latencyMs: 40 },
      { path: '/v1/calibrations', latencyMs: 9_000, questionCount: 600 },
      { path: '/v1/models', latencyMs: 2, questionCount: 0 },
    )
    expect(await today.usage()).toMatchObject({ requests: 3, latencyMs: { p50: 40, p95: 40, p99: 40 } })
  })

  it('of a busy day reads each request a few times and takes only the different latencies out of the database', async () => {
    const { log, today } = setup()
    await log({})
    const [read, given] = await runInDurableObject(today, (activity, { storage: { sql } }) => {
      repeatRequest(sql)
      return costOf(sql, () => activity.usage())
    })
    // Once for the sums, twice to count the latencies, once for the errors.
    expect(read).toBeLessThan(4.5 * 2_001)
    expect(given).toBe(1 + 100)
  })

  it('of a day with many requests reads only the last of them, also in a new life of the object', async () => {
    const { log, today } = setup()
    await log({ status: 429, errorCode: 'rate_limited', inputTokens: 0 })
    await runInDurableObject(today, (_, { storage: { sql } }) => repeatRequest(sql, 20_000))
    await log({ latencyMs: 40 })
    await evictDurableObject(today)
    await log({ latencyMs: 50 }, { status: 503, errorCode: 'engine_timeout' })
    // Adding a request adds up what the object does not remember, too.
    await evictDurableObject(today)
    const [read, usage] = await runInDurableObject(today, (activity, { storage: { sql } }) => [
      costOf(sql, () => activity.usage())[0],
      activity.usage(),
    ])
    expect(read).toBeLessThan(20)
    expect(usage).toEqual({
      requests: 20_004,
      inputTokens: 200,
      cachedTokens: 0,
      latencyMs: { p50: 40, p95: 50, p99: 50 },
      errors: { engine_timeout: 1, rate_limited: 20_001 },
    })
  })

  it('counts only what a sweep has left', async () => {
    const { log, today } = setup()
    await log({ at: NOW - 1 })
    await runInDurableObject(today, (_, { storage: { sql } }) => repeatRequest(sql, 10_000))
    await log({ at: NOW, inputTokens: 7 })
    vi.setSystemTime(NOW + 30 * DAY_MS)
    await runDurableObjectAlarm(today)
    expect(await today.usage()).toMatchObject({ requests: 1, inputTokens: 7 })
  })

  it('of a busy day is not added up anew because a sweep took some of it', async () => {
    const { log, today } = setup()
    await log({ at: NOW - 1, status: 429, errorCode: 'rate_limited' })
    await runInDurableObject(today, (_, { storage: { sql } }) => {
      repeatRequest(sql, 20_000)
      sql.exec('UPDATE requests SET at = at + 1, status = 200, error_code = NULL WHERE row > 1000')
    })
    await log({ at: NOW - 1, latencyMs: 7 }, { at: NOW, latencyMs: 8 })
    vi.setSystemTime(NOW + 30 * DAY_MS)
    await runInDurableObject(today, async (activity, state) => {
      const before = activity.usage()
      expect(before).toMatchObject({ requests: 20_003, errors: { rate_limited: 1_000 } })
      await activity.alarm()
      const [read] = costOf(state.storage.sql, () => activity.usage())
      expect(read).toBeLessThan(20)
      const [requests, inputTokens] = [before.requests - 1_001, before.inputTokens - 100]
      expect(activity.usage()).toEqual({ ...before, requests, inputTokens, errors: {} })
      expect(new Activity(state, env).usage()).toEqual(activity.usage())
    })
  })

  it('is not read again from a day in which nothing has happened since', async () => {
    const { log, today } = setup()
    await log({})
    const usages = await runInDurableObject(today, (activity, { storage: { sql } }) => {
      const first = activity.usage()
      expect(costOf(sql, () => expect(activity.usage()).toEqual(first))).toEqual([0, 0])
      return first
    })
    expect(usages).toMatchObject({ requests: 1 })
    await log({})
    expect(await today.usage()).toMatchObject({ requests: 2 })
  })
})

/** Adds copies of the first request of a day, with 100 different latencies. */
const repeatRequest = (sql: SqlStorage, times = 2_000): void => {
  sql.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
    INSERT INTO requests SELECT NULL, at, request_id, key_id, path, status, error_code, n * 7919 % 100,
      model, region, input_tokens, cached_tokens, question_count FROM requests, numbers WHERE row = 1`)
}

const rowsOf = (_: unknown, state: DurableObjectState) =>
  state.storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM requests').one().n

const tablesOf = (_: unknown, state: DurableObjectState) =>
  state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_%' ESCAPE '\\'").toArray()
