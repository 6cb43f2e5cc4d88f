import type { RequestListener, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Bridge, startBridge } from '../../test/redis/bridge.ts'
import { hasRedisServer, type RedisServer, startRedisServer } from '../../test/redis/server.ts'
import { useStoppedTimers } from '../testing/clock.ts'
import { serverOf } from '../testing/server.ts'
import { keepsTheLimiterContract } from './limiter.contract.ts'
import type { Limits } from './limits.ts'
import { upstashLimiter } from './upstash-limiter.ts'

const LIMITS: Limits = { requestsPerSecond: 200, burst: 400, tokensPerMinute: 1_000 }
const WITHIN_MS = 250
/** What the scripts return for a bucket: what is left in it, when it is next refilled, how much it holds. */
const GIVEN = { result: [5, Date.now() + 60_000, 1_000] }
const REFUSED = { result: [-1, Date.now() + 60_000, 1_000] }

describe.skipIf(!hasRedisServer)('the limiter over Upstash, with a real Redis', () => {
  let redis: RedisServer
  let bridge: Bridge
  beforeAll(async () => {
    redis = await startRedisServer()
    bridge = await startBridge(redis.port)
  })
  afterAll(async () => {
    await bridge.close()
    await redis.stop()
  })

  const inRedis = async (...command: (string | number)[]): Promise<unknown> => {
    const headers = { authorization: `Bearer ${bridge.token}` }
    const answer = await fetch(bridge.url, { method: 'POST', headers, body: JSON.stringify(command) })
    return ((await answer.json()) as { result: unknown }).result
  }

  keepsTheLimiterContract(() => upstashLimiter(bridge))

  it('gives a verdict in one round trip once its scripts are known', async () => {
    const limiter = upstashLimiter(bridge)
    await limiter('warm', LIMITS).take(1, 5_000)
    const before = bridge.seen.length
    await limiter('k', LIMITS).take(1, 5_000)
    const commands = bridge.seen.slice(before).map(([name]) => name?.toLowerCase())
    expect(commands).toEqual(['evalsha', 'evalsha'])
  })

  it('names keys after the digest it is given and stores nothing else', async () => {
    const before = bridge.seen.length
    await upstashLimiter(bridge)('digest-of-a-key', LIMITS).take(7, 5_000)
    expect(bridge.seen.slice(before).map(command => command[3])).toEqual([
      'decider:requests:digest-of-a-key',
      'decider:tokens:digest-of-a-key',
    ])
  })

  it('leaves nothing that Redis would keep for ever', async () => {
    const limiter = upstashLimiter(bridge)
    await inRedis('FLUSHALL')
    // Redis forgets a request bucket that is full again: here after a millisecond, and so between two trips.
    const trip = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      await new Promise(resolve => setTimeout(resolve, 5))
      return trip(...request)
    })
    const limits: Limits = { requestsPerSecond: 1_000, burst: 2_000, tokensPerMinute: 1_000 }
    const take = async (key: string, tokens: number) => {
      const verdict = await limiter(key, limits).take(tokens, 5_000)
      return verdict.kind === 'allowed' ? verdict.taken : null
    }
    const free = await take('free', 0)
    if (free) await limiter('free', limits).correct(free, 0, 5_000)
    await take('free and cut off', 0)
    await take('refused', 900)
    expect(await take('refused', 900)).toBe(null)
    const lost = await take('lost', 900)
    await inRedis('DEL', 'decider:tokens:lost')
    if (lost) await limiter('lost', limits).correct(lost, 10, 5_000)
    const restarted = await take('restarted', 900)
    await inRedis('DEL', 'decider:tokens:restarted')
    await inRedis('SCRIPT', 'FLUSH')
    if (restarted) await limiter('restarted', limits).correct(restarted, 10, 5_000)

    const names = (await inRedis('KEYS', '*')) as string[]
    const ENDLESS = -1
    const lives = await Promise.all(names.map(async name => ({ name, ms: await inRedis('PTTL', name) })))
    expect(lives.filter(({ ms }) => ms === ENDLESS)).toEqual([])
  })

  it.each([
    ['requests', 'remainingRequests'],
    ['tokens', 'remainingTokens'],
  ] as const)(
    'keeps nobody waiting for the clock of another service, nor reports less than nothing: %s',
    async (bucket, remaining) => {
      const inAnHour = Date.now() + 3_600_000
      await inRedis('HSET', `decider:${bucket}:early`, 'refilledAt', inAnHour, 'tokens', 0)
      const verdict = await upstashLimiter(bridge)('early', LIMITS).take(1, 5_000)
      await inRedis('DEL', `decider:${bucket}:early`)
      if (verdict.kind === 'unknown' || verdict.kind === 'allowed') throw new Error(verdict.kind)
      expect(verdict.rates.resetTokensSeconds).toBeLessThanOrEqual(60)
      expect(verdict.rates[remaining]).toBe(0)
      expect(verdict.retryAfterSeconds).toBeLessThanOrEqual(bucket === 'tokens' ? 60 : 1)
    },
  )

  it('reports what is in a bucket now, not what was in it when last written', async () => {
    const seventySecondsAgo = Date.now() - 70_000
    await inRedis('HSET', 'decider:tokens:idle', 'refilledAt', seventySecondsAgo, 'tokens', 0)
    const verdict = await upstashLimiter(bridge)('idle', LIMITS).take(0, 5_000)
    await inRedis('DEL', 'decider:tokens:idle')
    if (verdict.kind !== 'allowed') throw new Error(verdict.kind)
    expect(verdict.rates.remainingTokens).toBe(1_000)
    expect(verdict.rates.resetTokensSeconds).toBeGreaterThan(40)
    expect(verdict.rates.resetTokensSeconds).toBeLessThanOrEqual(50)
  })

  it('does not overfill a bucket that Redis lost between taking and giving back', async () => {
    const limiter = upstashLimiter(bridge)
    const verdict = await limiter('lost', LIMITS).take(600, 5_000)
    if (verdict.kind !== 'allowed') throw new Error(verdict.kind)
    await inRedis('FLUSHALL')
    const corrected = await limiter('lost', LIMITS).correct(verdict.taken, 100, 5_000)
    expect(corrected).toMatchObject({ rates: { remainingTokens: 1_000 } })
    expect(await limiter('lost', LIMITS).take(1_000, 5_000)).toMatchObject({ kind: 'allowed' })
    expect(await limiter('lost', LIMITS).take(1, 5_000)).toMatchObject({ kind: 'token_rate_limited' })
  })

  it('leaves a bucket full that Redis lost while several requests were under way', async () => {
    const limiter = upstashLimiter(bridge)('several', LIMITS)
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => limiter.take(200, 5_000)))
    await inRedis('DEL', 'decider:tokens:several')
    await Promise.all(
      verdicts.map(verdict =>
        verdict.kind === 'allowed' ? limiter.correct(verdict.taken, 0, 5_000) : verdict.kind,
      ),
    )
    expect(await limiter.take(1_000, 5_000)).toMatchObject({ kind: 'allowed' })
  })
})

describe('the limiter over an Upstash in trouble', () => {
  let asked = 0
  useStoppedTimers()
  afterEach(() => {
    asked = 0
  })

  const serving = async (listener: RequestListener) => {
    const url = await serverOf((request, response) => {
      asked += 1
      listener(request, response)
    })
    return { url, token: 't' }
  }

  const take = (address: { url: string; token: string }) =>
    upstashLimiter(address)('k', LIMITS).take(1, WITHIN_MS)

  it.each<[string, (response: ServerResponse, sent: () => void) => void]>([
    ['accepts and never answers', (_, sent) => sent()],
    [
      'sends a byte at a time',
      (response, sent) => {
        let bytes = 0
        setInterval(() => response.write(' ', () => (++bytes === 3 ? sent() : undefined)), 20).unref()
      },
    ],
  ])('that %s: unknown, after 250 ms', async (_, answer) => {
    const { promise: trouble, resolve } = Promise.withResolvers<void>()
    const verdict = take(await serving((_, response) => answer(response, resolve)))
    await trouble
    vi.advanceTimersByTime(WITHIN_MS - 1)
    expect(await Promise.race([verdict, setImmediate('still waiting')])).toBe('still waiting')
    vi.advanceTimersByTime(1)
    expect(await verdict).toEqual({ kind: 'unknown', why: 'timeout' })
  })

  it.each([
    ['is not there', async () => ({ url: 'http://127.0.0.1:9', token: 't' })],
    ['hangs up', () => serving(request => void request.socket.destroy())],
    ['answers 500', () => serving((_, response) => void response.writeHead(500).end('{"error":"no"}'))],
    ['answers nonsense', () => serving((_, response) => void response.end('<html>'))],
  ])('that %s: unknown, at once and without a second try', async (_, address) => {
    expect(await take(await address())).toEqual({ kind: 'unknown', why: 'error' })
    // It may have counted what it did not answer; asked again, it would count twice.
    expect(asked).toBeLessThanOrEqual(1)
  })

  it.each([[null], [[]], ['OK'], [['a', 'b', 'c']], [[5, null, 1_000]]])(
    'that returns %j for every bucket: unknown',
    async result => {
      const address = await serving(
        (_, response) => void response.end(JSON.stringify([{ result }, { result }])),
      )
      expect(await take(address)).toEqual({ kind: 'unknown', why: 'error' })
    },
  )

  it('that refuses and then falls silent: refused all the same', async () => {
    const { promise: silence, resolve } = Promise.withResolvers<void>()
    const address = await serving((_, response) => {
      if (asked === 1) response.end(JSON.stringify([GIVEN, REFUSED]))
      else resolve()
    })
    const verdict = take(address)
    await silence
    vi.advanceTimersByTime(WITHIN_MS)
    expect(await verdict).toMatchObject({
      kind: 'token_rate_limited',
      rates: { remainingTokens: 0 },
    })
    expect(asked).toBe(2)
  })

  it('that is far away is asked once for a verdict, and once more for what follows from it', async () => {
    const address = await serving(async (request, response) => {
      const first = asked === 1
      const commands = (await json(request)) as unknown[]
      response.end(JSON.stringify(commands.map((_, at) => (first && at === 1 ? REFUSED : GIVEN))))
    })
    expect(await take(address)).toMatchObject({ kind: 'token_rate_limited' })
    expect(asked).toBe(2)
    const taken = { tokens: 10, windowEndsAt: Date.now() + 60_000 }
    expect(await upstashLimiter(address)('k', LIMITS).correct(taken, 1, WITHIN_MS)).toMatchObject({
      kind: 'corrected',
    })
    expect(asked).toBe(3)
  })

  it('reveals nothing of what it asked', async () => {
    const address = await serving(
      (_, response) => void response.writeHead(400).end('{"error":"ERR evalsha k"}'),
    )
    expect(
      JSON.stringify(await upstashLimiter(address)('secret-key', LIMITS).take(1, WITHIN_MS)),
    ).not.toMatch(/secret|evalsha/)
  })
})
