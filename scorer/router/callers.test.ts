import { type ClientRequest, request } from 'node:http'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { HEADERS, type ScoreReply } from '../protocol.ts'
import { openRequest } from '../testing/open-request.ts'
import { sign, startScorer, type TestScorer, unit } from '../testing/scorer.ts'

vi.setConfig({ testTimeout: 120_000 })

const scorer = await startScorer()
afterAll(scorer.stop)

/** Machines may be busy. */
const PATIENT = { timeout: 60_000 }

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
    await expect.poll(() => scorer.metric('running_units'), PATIENT).toBeGreaterThan(0)
    for (let i = 0; i < 5; i++) expect((await scorer.score(unit())).kind).toBe('scored')
    expect(over).toBe(false)
    abort.abort()
    expect(await long).toBe('given up')
  })

  const events = async () => {
    const count = (event: string) => scorer.metric(`cache_events_total{event="${event}"}`)
    return { miss: await count('miss'), joined: await count('joined'), hit: await count('hit') }
  }
})

describe('a caller that leaves', () => {
  it('ends its own work', async () => {
    await expect.poll(() => scorer.metric('running_tokens'), PATIENT).toBe(0)
    const cached = await scorer.metric('cache_states')
    const abort = new AbortController()
    const long = unit({ state: { form: 'text', text: 'word '.repeat(60_000) } })
    const asked = scorer.post('/score', { units: [long] }, { signal: abort.signal }).catch(() => 'left')
    await expect.poll(() => scorer.metric('running_tokens'), PATIENT).toBeGreaterThan(0)
    abort.abort()
    expect(await asked).toBe('left')
    await expect.poll(() => scorer.metric('running_tokens'), PATIENT).toBe(0)
    expect(await scorer.metric('cache_states')).toBe(cached)
    expect(await scorer.metric('requests_total{outcome="left"}')).toBeGreaterThan(0)
  })

  it('has its body dropped unread, so that nobody waits behind it', async () => {
    const sides: [string, null] = ['word, '.repeat(600_000), null]
    const large = Buffer.from(
      JSON.stringify({ units: [unit({ questions: [{ type: 'noul', instructions: null, sides }] })] }),
    )
    const before = await scorer.metric('tokenise_seconds_count')
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
    expect((await scorer.metric('tokenise_seconds_count')) - before).toBeLessThan(leavers.length)
  })

  it('in the middle of its body is counted and causes no fault', async () => {
    // One of its own, because those who left the other may still be counted.
    const own = await startScorer()
    onTestFinished(() => own.stop())
    const socket = openRequest(own.url, 1_000)
    socket.write('{"units"')
    await new Promise(resolve => setTimeout(resolve, 100))
    socket.destroy()
    await expect.poll(() => own.metric('requests_total{outcome="left"}'), PATIENT).toBe(1)
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
  const kept = (from: TestScorer) => from.metric('question_bytes')

  it('are dropped with the last answer', async () => {
    // One of its own, because the work of those who left the other may still be ending.
    const own = await startScorer()
    onTestFinished(() => own.stop())
    const answers = await own.post<ScoreReply>('/score', { units: [unit(), unit({ tenant: 'other' })] })
    expect(answers.status).toBe(200)
    expect(await kept(own)).toBe(0)
  })

  it('are kept if the operator says so, until they are cleared', async () => {
    const keeping = await startScorer({ SCORER_QUESTION_LIFETIME_MS: '300000' })
    onTestFinished(() => keeping.stop())
    const [mine, other] = [unit(), unit()]
    for (const one of [mine, other]) await keeping.score(one)
    const both = await kept(keeping)
    await keeping.post('/cache/clear', { tenant: mine.tenant })
    expect([both > 0, await kept(keeping)]).toEqual([true, both / 2])
    await keeping.post('/cache/clear', {})
    expect(await kept(keeping)).toBe(0)
  })
})
