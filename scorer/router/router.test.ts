import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import description from '../../package.json' with { type: 'json' }
import {
  HEADERS,
  MAX_SCORE_REQUEST_BYTES,
  PROTOCOL,
  REFUSALS,
  type Refusal,
  type ScoreReply,
  type ScorerHealth,
  SIGNATURE_WINDOW_MS,
} from '../protocol.ts'
import { KEY, type Scored, sign, startScorer, TEAM, type TestScorer, unit } from '../testing/scorer.ts'
import { SNAPSHOT } from '../testing/snapshot.ts'
import { createRouter, type RouterParts } from './router.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let scorer: TestScorer
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20))
}
/** A number from the page of metrics. */
const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^scorer_${name} (\\d+)$`, 'm').exec((await scorer.get('/metrics')).text)?.[1])
beforeAll(async () => {
  scorer = await startScorer()
})
afterAll(() => scorer.stop())

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

describe('POST /score → 401', () => {
  const body = JSON.stringify({ units: [unit()] })
  const refused = async (
    signature: string | undefined,
    sent = body,
    error: Refusal['error'] = 'bad_signature',
  ) => {
    const headers = signature === undefined ? {} : { [HEADERS.signature]: signature }
    const response = await fetch(`${scorer.url}/score`, { method: 'POST', body: sent, headers })
    expect(response.status).toBe(401)
    expect(((await response.json()) as Refusal).error).toBe(error)
  }
  const bytes = Buffer.from(body)

  it('refuses a missing signature or a broken one', async () => {
    await refused(undefined)
    await refused(`${PROTOCOL} test 1 00 00`)
    for (const broken of [`${PROTOCOL} ${sign(bytes)}`, `${sign(bytes)}0`]) await refused(broken)
  })
  it('says so if the signature is of another version, also in an earlier form', async () => {
    for (const signature of [sign(bytes).replace(PROTOCOL, 'v1'), 'v1 test 1 00'])
      await refused(signature, body, 'wrong_version')
  })
  it('refuses a wrong key and an unknown key id', async () => {
    await refused(sign(bytes, { key: Buffer.alloc(32, 8) }))
    await refused(sign(bytes, { keyId: 'nobody' }))
  })
  it('refuses a stranger who knows only a key id, before the body takes memory from others', async () => {
    const { hostname, port } = new URL(scorer.url)
    const socket = connect(Number(port), hostname)
    const forged = sign(bytes).replace(/[0-9a-f]{64}$/, '0'.repeat(64))
    socket.write(
      `POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n${HEADERS.signature}: ${forged}\r\n\r\n{"units"`,
    )
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })
  it('refuses a body or a time other than the one signed', async () => {
    await refused(sign(bytes), `${body} `)
    const at = Date.now()
    await refused(sign(bytes, { at }).replace(String(at), String(at + 1)))
  })
  it('refuses what was signed for another route or tenant', async () => {
    await refused(sign(bytes, { route: '/cache/clear' }))
    await refused(sign(bytes, { tenant: 'another' }))
    const headers = { [HEADERS.signature]: sign(bytes), [HEADERS.tenant]: 'another' }
    expect((await scorer.post('/score', body, { headers })).status).toBe(401)
    const clear = { [HEADERS.signature]: sign(Buffer.from('{}')) }
    expect((await scorer.post('/cache/clear', '{}', { headers: clear })).status).toBe(401)
  })
  it('blames the clocks for a signature from outside the window, on either side, if its key is right', async () => {
    for (const at of [Date.now() - SIGNATURE_WINDOW_MS - 1_000, Date.now() + SIGNATURE_WINDOW_MS + 1_000]) {
      await refused(sign(bytes, { at }), body, 'clock')
      await refused(sign(bytes, { at, key: Buffer.alloc(32, 8) }))
    }
  })
  it('counts the reasons apart, and logs them', async () => {
    const { text } = await scorer.get('/metrics')
    for (const outcome of ['bad_signature', 'clock', 'wrong_version'])
      expect(text).toMatch(new RegExp(`^scorer_requests_total\\{outcome="${outcome}"\\} [1-9]`, 'm'))
    const [line = ''] = scorer.lines
    expect(JSON.parse(line)).toMatchObject({ event: 'signatures_refused', missing: 1 })
  })
})

describe('POST /score → 400, 413', () => {
  it.each([
    ['invalid JSON', '{', 'body must be JSON in UTF-8'],
    ['no units', '{}', 'units breaks the protocol'],
    ['an empty list', '{"units":[]}', 'units breaks the protocol'],
    [
      'a wrong type',
      JSON.stringify({ units: [unit({ reverse: 'SECRET' as never })] }),
      'units.0.reverse breaks the protocol',
    ],
    [
      'one level',
      JSON.stringify({
        units: [unit({ questions: [{ type: 'score', instructions: null, levels: ['SECRET'] }] })],
      }),
      'units.0.questions.0.levels breaks the protocol',
    ],
  ])('refuses %s, naming the place but not repeating its content', async (_, sent, message) => {
    const { status, body } = await scorer.post<Refusal>('/score', sent)
    expect([status, body]).toEqual([400, { error: 'bad_request', message }])
  })

  it('refuses a deadline that is not a positive integer', async () => {
    const headers = { [HEADERS.deadline]: '1.5' }
    expect((await scorer.post<Refusal>('/score', { units: [unit()] }, { headers })).body.error).toBe(
      'bad_request',
    )
  })

  it('refuses a body over the cap, whether it declares its length or not', async () => {
    const big = Buffer.alloc(MAX_SCORE_REQUEST_BYTES + 1, 0x20)
    const announced = await fetch(`${scorer.url}/score`, {
      method: 'POST',
      body: big,
      headers: { [HEADERS.signature]: sign(big) },
    })
    expect(announced.status).toBe(413)
    const dripped = await fetch(`${scorer.url}/score`, {
      method: 'POST',
      body: new Blob([big]).stream(),
      headers: { [HEADERS.signature]: sign(big) },
      duplex: 'half',
    } as RequestInit)
    expect(dripped.status).toBe(413)
  })

  it('refuses a body that declares more than the cap before any of it arrives', async () => {
    const socket = openRequest(MAX_SCORE_REQUEST_BYTES + 1)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('POST /score → 504', () => {
  it('answers at the deadline, whatever the engine is doing, and goes on serving', async () => {
    const long = unit({ state: { form: 'text', text: 'word '.repeat(60_000) } })
    const start = performance.now()
    const headers = { [HEADERS.deadline]: '300' }
    const { status, body } = await scorer.post<Refusal>('/score', { units: [long] }, { headers })
    expect([status, body.error]).toEqual([504, 'deadline'])
    expect(performance.now() - start).toBeLessThan(1_500)
    expect((await scorer.score(unit())).kind).toBe('scored')
  })

  it('ends the work at the deadline too', async () => {
    const cached = await metric('cache_states')
    const long = unit({ state: { form: 'text', text: 'word '.repeat(60_000) } })
    const headers = { [HEADERS.deadline]: '300' }
    expect((await scorer.post('/score', { units: [long] }, { headers })).status).toBe(504)
    await until(async () => (await metric('running_tokens')) === 0)
    expect(await metric('cache_states')).toBe(cached)
  })
})

describe('POST /score → 503', () => {
  it('says at once that it is full if too much is waiting, and when to try again', async () => {
    const small = await startScorer({ SCORER_BATCH_TOKENS: '256', SCORER_QUEUE_TOKENS: '1024' })
    try {
      const headers = { [HEADERS.deadline]: '3000' }
      const long = () => unit({ state: { form: 'text', text: 'word '.repeat(5_000) } })
      const held = Array.from({ length: 2 }, () =>
        small.post<Refusal>('/score', { units: [long()] }, { headers }),
      )
      await until(async () => /^scorer_queue_units 1$/m.test((await small.get('/metrics')).text))
      const start = performance.now()
      const refused = await small.post<Refusal>('/score', { units: [long()] })
      expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
        503,
        'full',
        '1',
      ])
      expect(performance.now() - start).toBeLessThan(1_000)
      expect((await small.get('/metrics')).text).toMatch(/^scorer_requests_total\{outcome="full"\} 1$/m)
      await Promise.all(held)
    } finally {
      await small.stop()
    }
  })
})

describe('bodies that do not end', () => {
  it('take memory from their own tenant only', async () => {
    const flood = Array.from({ length: 3 }, () => openRequest(MAX_SCORE_REQUEST_BYTES, 'flood'))
    for (const socket of flood) socket.write(Buffer.alloc(MAX_SCORE_REQUEST_BYTES - 1))
    const answer = await Promise.race(flood.map(socket => once(socket, 'data')))
    expect(String(answer[0])).toMatch(/^HTTP\/1\.1 503 .*"error":"full"/s)
    const other = unit()
    const headers = { [HEADERS.tenant]: other.tenant }
    expect((await scorer.post('/score', { units: [other] }, { headers })).status).toBe(200)
  })
})

/** Sends the headers of a signed request, and nothing of its body. */
const openRequest = (bodyBytes: number, tenant = '') => {
  const { hostname, port } = new URL(scorer.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const signature = sign(KEY, { tenant })
  socket.write(
    `POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes}\r\n${HEADERS.tenant}: ${tenant}\r\n${HEADERS.signature}: ${signature}\r\n\r\n`,
  )
  return socket
}

describe('many callers', () => {
  it('with the same new state have it encoded once', async () => {
    const one = unit({ state: { form: 'text', text: 'word '.repeat(600) } })
    const before = await events()
    const answers = await Promise.all(Array.from({ length: 6 }, () => scorer.score(one)))
    const after = await events()
    expect(answers.filter(({ cached }) => !cached)).toHaveLength(1)
    expect(after.miss - before.miss).toBe(1)
    expect(after.joined + after.hit - before.joined - before.hit).toBe(5)
    expect(new Set(answers.map(answer => JSON.stringify(answer.questions))).size).toBe(1)
  })

  it('with small requests are answered while the longest state is encoded', async () => {
    let over = false
    const abort = new AbortController()
    const state = { form: 'text' as const, text: 'word '.repeat(65_000) }
    const long = scorer.post('/score', { units: [unit({ state })] }, { signal: abort.signal }).then(
      () => {
        over = true
      },
      () => 'given up',
    )
    await until(async () => /^scorer_running_units [1-9]/m.test((await scorer.get('/metrics')).text))
    for (let i = 0; i < 5; i++) expect((await scorer.score(unit())).kind).toBe('scored')
    expect(over).toBe(false)
    abort.abort()
    expect(await long).toBe('given up')
  })

  const events = async () => {
    const { text } = await scorer.get('/metrics')
    const count = (event: string) =>
      Number(new RegExp(`^scorer_cache_events_total\\{event="${event}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
    return { miss: count('miss'), joined: count('joined'), hit: count('hit') }
  }
})

describe('a caller that leaves', () => {
  it('ends its own work', async () => {
    await until(async () => (await metric('running_tokens')) === 0)
    const cached = await metric('cache_states')
    const abort = new AbortController()
    const long = unit({ state: { form: 'text', text: 'word '.repeat(60_000) } })
    const asked = scorer.post('/score', { units: [long] }, { signal: abort.signal }).catch(() => 'left')
    await until(async () => (await metric('running_tokens')) > 0)
    abort.abort()
    expect(await asked).toBe('left')
    await until(async () => (await metric('running_tokens')) === 0)
    expect(await metric('cache_states')).toBe(cached)
    expect((await scorer.get('/metrics')).text).toMatch(/^scorer_requests_total\{outcome="left"\} [1-9]/m)
  })

  it('has its body dropped unread, so that nobody waits behind it', async () => {
    const sides: [string, null] = ['word, '.repeat(600_000), null]
    const large = Buffer.from(
      JSON.stringify({ units: [unit({ questions: [{ type: 'noul', instructions: null, sides }] })] }),
    )
    const before = await metric('tokenise_seconds_count')
    const leavers = await Promise.all(Array.from({ length: 15 }, () => send(large)))
    // Gives the service enough turns to receive the bodies.
    for (let turn = 0; turn < 50; turn++) await scorer.get('/healthz')
    for (const leaver of leavers) leaver.destroy()
    // Padded, so that it is read on the same thread as the others.
    const { body } = await scorer.post<ScoreReply>(
      '/score',
      JSON.stringify({ units: [unit()] }).padEnd(70_000),
    )
    expect(body.units[0]?.kind).toBe('scored')
    // Counts this body and those that the thread got to before their callers left.
    expect((await metric('tokenise_seconds_count')) - before).toBeLessThan(leavers.length)
  })

  it('in the middle of its body is counted and causes no fault', async () => {
    // One of its own, because those who left the other may still be counted.
    const own = await startScorer()
    onTestFinished(() => own.stop())
    const { hostname, port } = new URL(own.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n${HEADERS.signature}: ${sign(KEY)}\r\n\r\n{"units"`,
    )
    await new Promise(resolve => setTimeout(resolve, 100))
    socket.destroy()
    await until(async () =>
      /^scorer_requests_total\{outcome="left"\} 1$/m.test((await own.get('/metrics')).text),
    )
    expect(own.lines.filter(line => line.includes('"fault"'))).toEqual([])
  })

  /** Sends a request without waiting for the answer. */
  const send = (body: Buffer): Promise<ClientRequest> =>
    new Promise(resolve => {
      const headers = { [HEADERS.signature]: sign(body), [HEADERS.deadline]: '60000' }
      const sent = request(`${scorer.url}/score`, { method: 'POST', agent: false, headers })
      sent.on('error', () => {})
      sent.end(body, () => resolve(sent))
    })
})

describe('encoded questions', () => {
  const kept = async (from: TestScorer) =>
    /^scorer_question_bytes (\d+)$/m.exec((await from.get('/metrics')).text)?.[1]

  it('are dropped with the last answer', async () => {
    const answers = await scorer.post<ScoreReply>('/score', { units: [unit(), unit({ tenant: 'other' })] })
    expect(answers.status).toBe(200)
    expect(await kept(scorer)).toBe('0')
  })

  it('are kept if the operator says so, until they are cleared', async () => {
    const keeping = await startScorer({ SCORER_QUESTION_LIFETIME_MS: '300000' })
    try {
      const [mine, other] = [unit(), unit()]
      for (const one of [mine, other]) await keeping.score(one)
      const both = Number(await kept(keeping))
      await keeping.post('/cache/clear', { tenant: mine.tenant })
      expect([both > 0, Number(await kept(keeping))]).toEqual([true, both / 2])
      await keeping.post('/cache/clear', {})
      expect(await kept(keeping)).toBe('0')
    } finally {
      await keeping.stop()
    }
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
    try {
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
    } finally {
      await fresh.stop()
    }
  })
})

describe('a response', () => {
  it('says what it is, is not stored, and keeps its connection longer than callers leave it idle', async () => {
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
      expect(headers.get('keep-alive')).toBe('timeout=75')
    }
  })

  it('arrives whole, whatever its script', async () => {
    const aliases = { größer: SNAPSHOT }
    const url = await serve({ health: () => ({ ready: true, aliases }) as unknown as ScorerHealth })
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ready: true, aliases })
  })

  it('says nothing of a fault, which is reported', async () => {
    const fault = new Error('SECRET')
    const faults: unknown[] = []
    const metricsText = () => {
      throw fault
    }
    const url = await serve({ metricsText, onFault: one => faults.push(one) })
    const response = await fetch(`${url}/metrics`)
    const refusal = { error: 'fault', message: 'the request could not be handled' }
    expect([response.status, await response.json(), faults]).toEqual([500, refusal, [fault]])
  })

  const serve = async (parts: Partial<RouterParts>): Promise<string> => {
    const server = createRouter(parts as RouterParts)
    onTestFinished(() => void server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
})

describe('any other request', () => {
  it('is refused by its path or its method', async () => {
    expect((await scorer.get('/')).status).toBe(404)
    expect((await scorer.get('/constructor')).status).toBe(404)
    const response = await fetch(`${scorer.url}/score`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})
