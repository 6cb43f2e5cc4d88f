import { once } from 'node:events'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { HEADERS, MAX_SCORE_REQUEST_BYTES, PROTOCOL, type Refusal, SIGNATURE_WINDOW_MS } from '../protocol.ts'
import { openRequest } from '../testing/open-request.ts'
import { sign, startScorer, unit } from '../testing/scorer.ts'

vi.setConfig({ testTimeout: 120_000 })

const scorer = await startScorer()
afterAll(scorer.stop)

/** Machines may be busy. */
const PATIENT = { timeout: 60_000 }

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
    const refusal = (await response.json()) as Refusal
    expect(refusal.error).toBe(error)
    return refusal.message
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
    const forged = sign(bytes).replace(/[0-9a-f]{64}$/, '0'.repeat(64))
    const socket = openRequest(scorer.url, 1_000, { signature: forged })
    socket.write('{"units"')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
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
      // `cache clear` shows the message as it is.
      expect(await refused(sign(bytes, { at }), body, 'clock')).toContain('the clock of this scorer')
      await refused(sign(bytes, { at, key: Buffer.alloc(32, 8) }))
    }
  })
  it('counts the reasons apart, and logs them', async () => {
    // One of its own, because it logs the first refusal at once and later ones together.
    const own = await startScorer()
    onTestFinished(() => own.stop())
    await fetch(`${own.url}/score`, { method: 'POST', body })
    const late = sign(bytes, { at: Date.now() - SIGNATURE_WINDOW_MS - 1_000 })
    for (const signature of [late, sign(bytes).replace(PROTOCOL, 'v1')])
      await own.post('/score', body, { headers: { [HEADERS.signature]: signature } })
    for (const outcome of ['bad_signature', 'clock', 'wrong_version'])
      expect(await own.metric(`requests_total{outcome="${outcome}"}`)).toBe(1)
    const [line = ''] = own.lines
    expect(JSON.parse(line)).toMatchObject({ event: 'signatures_refused', missing: 1 })
  })
})

describe('POST /score → 400, 413', () => {
  it.each([
    ['invalid JSON', '{', 'body must be JSON in UTF-8'],
    [
      'a wrong type',
      JSON.stringify({ units: [unit({ reverse: 'SECRET' as never })] }),
      'units.0.reverse breaks the protocol',
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
    const socket = openRequest(scorer.url, MAX_SCORE_REQUEST_BYTES + 1)
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
    const cached = await scorer.metric('cache_states')
    const long = unit({ state: { form: 'text', text: 'word '.repeat(60_000) } })
    const headers = { [HEADERS.deadline]: '300' }
    expect((await scorer.post('/score', { units: [long] }, { headers })).status).toBe(504)
    await expect.poll(() => scorer.metric('running_tokens'), PATIENT).toBe(0)
    expect(await scorer.metric('cache_states')).toBe(cached)
  })
})

describe('POST /score → 503', () => {
  it('says at once that it is full if too much is waiting, and when to try again', async () => {
    const small = await startScorer({ SCORER_BATCH_TOKENS: '256', SCORER_QUEUE_TOKENS: '1024' })
    onTestFinished(() => small.stop())
    const headers = { [HEADERS.deadline]: '3000' }
    const long = () => unit({ state: { form: 'text', text: 'word '.repeat(5_000) } })
    const held = Array.from({ length: 2 }, () =>
      small.post<Refusal>('/score', { units: [long()] }, { headers }),
    )
    await expect.poll(() => small.metric('queue_units'), PATIENT).toBe(1)
    const start = performance.now()
    const refused = await small.post<Refusal>('/score', { units: [long()] })
    expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
      503,
      'full',
      '1',
    ])
    expect(performance.now() - start).toBeLessThan(1_000)
    expect(await small.metric('requests_total{outcome="full"}')).toBe(1)
    await Promise.all(held)
  })
})

describe('bodies that do not end', () => {
  it('take memory from their own tenant only', async () => {
    const flood = Array.from({ length: 3 }, () =>
      openRequest(scorer.url, MAX_SCORE_REQUEST_BYTES, { tenant: 'flood' }),
    )
    for (const socket of flood) socket.write(Buffer.alloc(MAX_SCORE_REQUEST_BYTES - 1))
    const answer = await Promise.race(flood.map(socket => once(socket, 'data')))
    expect(String(answer[0])).toMatch(/^HTTP\/1\.1 503 .*"error":"full"/s)
    const other = unit()
    const headers = { [HEADERS.tenant]: other.tenant }
    expect((await scorer.post('/score', { units: [other] }, { headers })).status).toBe(200)
  })
})
