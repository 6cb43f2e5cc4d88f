import { once } from 'node:events'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import description from '../../package.json' with { type: 'json' }
import { addressOf } from '../../src/testing/server.ts'
import { HEADERS, PROTOCOL, REFUSALS, type ScoreReply, type ScorerHealth } from '../protocol.ts'
import { openRequest } from '../testing/open-request.ts'
import { KEYS, type Scored, startScorer, TEAM, unit } from '../testing/scorer.ts'
import { SNAPSHOT } from '../testing/snapshot.ts'
import { createRouter, type RouterParts } from './router.ts'

vi.setConfig({ testTimeout: 120_000 })

const scorer = await startScorer()
afterAll(scorer.stop)

describe('POST /score → 200', () => {
  it('answers each unit with the logits of its options in order, and its token counts', async () => {
    const { status, body } = await scorer.post<ScoreReply>('/score', {
      units: [unit(), unit({ questions: [TEAM] })],
    })
    expect(status).toBe(200)
    expect(body.units).toHaveLength(2)
    const [first] = body.units as Scored[]
    expect(first).toMatchObject({ kind: 'scored', cached: false, stateTokens: 11, stateFramingTokens: 4 })
    expect(first?.questions.map(({ logits }) => logits.length)).toEqual([3, 2, 3])
    expect(first?.questions.map(({ framingTokens }) => framingTokens)).toEqual([9, 7, 9])
    expect(first?.questions.flatMap(({ logits }) => logits).every(Number.isFinite)).toBe(true)
    expect(body.runMs).toBeGreaterThan(0)
  })

  it('scores only choices of more than one option again, reversed', async () => {
    const one = { ...TEAM, options: TEAM.type === 'choice' ? TEAM.options.slice(0, 1) : [] } as typeof TEAM
    const answer = await scorer.score(
      unit({ reverse: true, questions: [TEAM, one, ...unit().questions.slice(1)] }),
    )
    const [team, ...others] = answer.questions
    const { questionTokens, framingTokens } = team ?? {}
    expect(team?.reversed).toEqual({
      logits: [expect.any(Number), expect.any(Number), expect.any(Number)],
      questionTokens,
      framingTokens,
    })
    expect(others.map(({ reversed }) => reversed)).toEqual([null, null, null])
  })

  it('reports an unknown snapshot and texts that are too long in place, and scores the rest as usual', async () => {
    const { body } = await scorer.post<ScoreReply>('/score', {
      units: [
        unit({ snapshot: 'decider-1' }),
        unit({ state: { form: 'text', text: 'word '.repeat(65_537) } }),
        unit({ questions: [{ type: 'noul', instructions: 'word '.repeat(16_382), sides: [null, null] }] }),
        unit(),
      ],
    })
    expect(body.units.slice(0, 3)).toEqual([
      { kind: 'unknown_snapshot' },
      { kind: 'state_too_long', limit: 65_536 },
      { kind: 'instructions_too_long', question: 0, limit: 16_381 },
    ])
    expect(body.units[3]?.kind).toBe('scored')
  })

  it('serves a state from the cache to the tenant who sent it before, and to no other', async () => {
    const mine = unit()
    expect((await scorer.score(mine)).cached).toBe(false)
    expect((await scorer.score(mine)).cached).toBe(true)
    expect((await scorer.score({ ...mine, tenant: 'another' })).cached).toBe(false)
  })
})

describe('POST /cache/clear', () => {
  it('forgets one tenant’s states, or all', async () => {
    const [mine, other] = [unit(), unit()]
    for (const one of [mine, other]) await scorer.score(one)
    expect((await scorer.post('/cache/clear', { tenant: mine.tenant })).body).toEqual({ cleared: 1 })
    expect([(await scorer.score(mine)).cached, (await scorer.score(other)).cached]).toEqual([false, true])
    await scorer.post('/cache/clear', {})
    expect([(await scorer.score(mine)).cached, (await scorer.score(other)).cached]).toEqual([false, false])
  })

  it('requires a signature', async () => {
    const response = await fetch(`${scorer.url}/cache/clear`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
  })

  it.each([
    ...['[1', '{"tenant":1}', '{"tenant":null}', 'null', '5', '[]'],
    // Neither a typing error nor a request to score that is sent here by mistake empties the whole cache.
    ...['{"tennant":"a"}', '{"tenant":"a","more":1}', '{"units":[]}', '\ufeff{}'],
  ])('refuses %s', async sent => {
    expect((await scorer.post('/cache/clear', sent)).status).toBe(400)
  })
})

describe('GET /healthz', () => {
  it('names the version, engine, region, snapshots and aliases', async () => {
    const { status, text } = await scorer.get('/healthz')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      ok: true,
      ready: true,
      version: description.version,
      protocol: PROTOCOL,
      engine: expect.stringMatching(/^onnxruntime-node [\d.]+ \(cpu\)$/),
      region: 'us',
      snapshots: [
        {
          id: SNAPSHOT,
          released: '2026-10-13',
          status: 'preview',
          base: 'decider-1',
          max_state_tokens: 65_536,
          modalities: ['text'],
          retire_after: null,
        },
      ],
      aliases: { 'decider-1': SNAPSHOT, decider: SNAPSHOT },
    })
  })

  it('answers in milliseconds while the longest states are encoded and tokenised', async () => {
    const long = () => unit({ state: { form: 'text', text: 'word '.repeat(65_000) } })
    const texts = () => unit({ state: { form: 'text', text: 'é'.repeat(2_000_000) } })
    const headers = { [HEADERS.deadline]: '1500' }
    const work = [long(), texts(), long(), texts()].map(one =>
      scorer.post('/score', { units: [one] }, { headers }),
    )
    const waits: number[] = []
    for (let i = 0; i < 20; i++) {
      const start = performance.now()
      await scorer.get('/healthz')
      waits.push(performance.now() - start)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    await Promise.all(work)
    const median = waits.sort((a, b) => a - b)[10]
    expect(median).toBeLessThan(50)
  })

  it('answers HEAD, with which many load balancers probe, in the same way without the body', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map(method => fetch(`${scorer.url}/healthz`, { method })),
    )
    expect(head?.status).toBe(200)
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'))
    expect(await head?.text()).toBe('')
  })
})

describe('GET /metrics', () => {
  it('reports waits, times, batches, the cache and outcomes, but no content', async () => {
    const secret = 'xyzzyplugh'
    await scorer.score(unit({ tenant: secret, state: { form: 'text', text: secret } }))
    const { text } = await scorer.get('/metrics')
    for (const name of [
      'queue_wait_seconds',
      'tokenise_seconds',
      'run_seconds',
      'batch_tokens',
      'cache_bytes',
    ]) {
      expect(text).toMatch(new RegExp(`^scorer_${name}\\S* [\\d.]+$`, 'm'))
    }
    expect(text).toMatch(/^scorer_requests_total\{outcome="scored"\} [1-9]\d*$/m)
    expect(text).toMatch(/^scorer_cache_events_total\{event="hit"\} \d+$/m)
    expect(text).not.toContain(secret)
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? [\d.e+-]+)$/)
    }
  })

  it('says from the start how long the scorer has run, its version and limit, and every outcome', async () => {
    const fresh = await startScorer({ SCORER_COMMIT: 'abc1234' })
    onTestFinished(() => fresh.stop())
    const version = `${description.version}+abc1234`
    const { text } = await fresh.get('/metrics')
    expect(text).toContain(`\nscorer_build_info{version="${version}",protocol="${PROTOCOL}"} 1\n`)
    expect(text).toContain('\nscorer_ready 1\n')
    expect(text).toContain(`\nscorer_memory_limit_bytes ${3 * 1024 ** 3}\n`)
    for (const outcome of ['scored', 'left', ...Object.keys(REFUSALS)])
      expect(text).toContain(`\nscorer_requests_total{outcome="${outcome}"} 0\n`)
    const started = Number(/^process_start_time_seconds ([\d.]+)$/m.exec(text)?.[1])
    expect(Math.abs(started - performance.timeOrigin / 1_000)).toBeLessThan(1)
    await fresh.drain()
    expect((await fresh.get('/metrics')).text).toContain('\nscorer_ready 0\n')
  })
})

describe('a response', () => {
  it('says what it is, is not stored, and keeps its connection longer than proxies leave it idle', async () => {
    for (const [path, type] of [
      ['/healthz?from=a-balancer', 'application/json'],
      ['/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
    ]) {
      const { status, headers } = await fetch(`${scorer.url}${path}`)
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        type,
        'no-store',
      ])
      expect(headers.get('keep-alive')).toBe('timeout=3900')
    }
  })

  it('arrives whole, whatever its script', async () => {
    const aliases = { größer: SNAPSHOT }
    const { url } = await serve({ health: () => ({ ready: true, aliases }) as unknown as ScorerHealth })
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ready: true, aliases })
  })

  it('says nothing of a fault, which is reported', async () => {
    const fault = new Error('SECRET')
    const faults: unknown[] = []
    const metricsText = () => {
      throw fault
    }
    const { url } = await serve({ metricsText, onFault: one => faults.push(one) })
    const response = await fetch(`${url}/metrics`)
    const refusal = { error: 'fault', message: 'the request could not be handled' }
    expect([response.status, await response.json(), faults]).toEqual([500, refusal, [fault]])
  })
})

describe('an upload that stalls', () => {
  it('is closed within a second or so of the time it has', async () => {
    const core = { draining: () => false } as RouterParts['core']
    const { url, server } = await serve({
      core,
      keys: KEYS,
      now: Date.now,
      timeOfDay: Date.now,
      onRequest: () => {},
    })
    expect(server.requestTimeout).toBe(30_000)
    // Node takes the larger of the two for the whole request.
    server.headersTimeout = server.requestTimeout = 1_000
    const start = performance.now()
    const socket = openRequest(url, 1_000)
    socket.resume()
    await once(socket, 'close')
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

describe('a scorer that is stopping', () => {
  it('refuses a request before its body has arrived', async () => {
    const outcomes: string[] = []
    const core = { draining: () => true } as RouterParts['core']
    const { url } = await serve({ core, now: Date.now, onRequest: outcome => outcomes.push(outcome) })
    const [answer] = await once(openRequest(url, 1_000), 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 .*"error":"draining"/s)
    expect(outcomes).toEqual(['draining'])
  })
})

describe('any other request', () => {
  it('is refused by its path or its method', async () => {
    expect((await scorer.get('/')).status).toBe(404)
    expect((await scorer.get('/constructor')).status).toBe(404)
    const response = await fetch(`${scorer.url}/score`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

const serve = async (parts: Partial<RouterParts>) => {
  const server = createRouter(parts as RouterParts)
  return { server, url: await addressOf(server) }
}
