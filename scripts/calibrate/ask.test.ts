import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { decideAll } from './ask.ts'

type Reply = { status: number; headers?: Record<string, string>; body: object | null }

const decided = (model: string): Reply => ({
  status: 200,
  body: {
    object: 'altdecisions.response',
    model,
    answers: { ok: { logits: { false: 0, true: 1 }, decider: { abstain: null } } },
    usage: { input_tokens: 9, cost_usd: 0.0000009 },
  },
})
const refused = (status: number, code: string, headers = {}): Reply => ({
  status,
  headers,
  body: { error: { code, message: `no, ${code}` } },
})

/** A service that answers with what `reply` makes of a body and of how often it came. */
const setup = async (reply: (body: string, times: number) => Reply | 'lost') => {
  const arrived: string[] = []
  const pauses: number[] = []
  let atOnce = 0
  let most = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    most = Math.max(most, ++atOnce)
    const body = await text(request)
    arrived.push(body)
    const replied = reply(body, arrived.filter(other => other === body).length)
    await new Promise(resolve => setImmediate(resolve))
    atOnce--
    if (replied === 'lost') return response.destroy()
    const { status, headers, body: said } = replied
    response.writeHead(status, headers).end(JSON.stringify(said))
  }
  const url = await serverOf(answer)
  const shares: number[] = []
  const ask = (bodies: readonly string[]) =>
    decideAll(
      { url, key: 'a_key' },
      bodies.map((body, index) => ({ body, line: index + 1 })),
      { asked: share => shares.push(share) },
      async ms => void pauses.push(ms),
    )
  return { ask, arrived, pauses, shares, most: () => most }
}

const bodies = Array.from({ length: 50 }, (_, index) => String(index))

describe('the decisions of a check', () => {
  it('come in the order of their examples, a few at once', async () => {
    const { ask, arrived, shares, most } = await setup(decided)
    expect((await ask(bodies)).map(({ model }) => model)).toEqual(bodies)
    expect(arrived.toSorted()).toEqual(bodies.toSorted())
    expect([shares[0], shares.at(-1)]).toEqual([0, 1])
    expect(most()).toBeLessThanOrEqual(4)
    expect(most()).toBeGreaterThan(1)
  })

  it('are asked for again when a refusal that passes says so', async () => {
    const { ask, pauses } = await setup((body, times) => {
      if (body === '7' && times === 1) return refused(429, 'rate_limited', { 'retry-after': '3' })
      if (body === '8' && times < 3) return { status: times === 1 ? 502 : 504, body: { html: 'of a proxy' } }
      return body === '9' && times < 3 ? refused(503, 'engine_timeout') : decided(body)
    })
    expect((await ask(bodies)).map(({ model }) => model)).toEqual(bodies)
    expect(pauses.toSorted()).toEqual([1_000, 1_000, 1_000, 1_000, 3_000])
  })

  it('are asked for again after a minute at the latest, whatever a proxy asks for', async () => {
    const { ask, pauses } = await setup((body, times) =>
      times === 1 ? refused(503, 'away', { 'retry-after': '3600' }) : decided(body),
    )
    await ask(['1'])
    expect(pauses).toEqual([60_000])
  })

  it('are asked for again when a connection breaks, and given up where it breaks every time', async () => {
    const { ask, pauses } = await setup((body, times) => (body === '9' && times < 3 ? 'lost' : decided(body)))
    expect((await ask(bodies)).map(({ model }) => model)).toEqual(bodies)
    expect(pauses).toEqual([1_000, 1_000])
    const gone = await setup(body => (body === '9' ? 'lost' : decided(body)))
    await expect(gone.ask(bodies)).rejects.toThrow(/did not answer: ./)
    expect(gone.arrived.filter(body => body === '9')).toHaveLength(10)
  })

  it('are not said to be missing for no reason where Node names none', async () => {
    // As of a name with several addresses, none of which lets anybody in.
    const cause = new AggregateError([])
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause }))
    const { ask } = await setup(decided)
    await expect(ask(['1'])).rejects.toThrow(/did not answer: no connection\. Is the service running\?/)
  })

  it('are not taken from an answer that lacks a part', async () => {
    const { ask } = await setup(body => ({ ...decided(body), body: { ...decided(body).body, usage: {} } }))
    await expect(ask(['1'])).rejects.toThrow('200 no_answer: the server that answered is not Decider')
    const empty = await setup(() => ({ status: 200, body: null }))
    await expect(empty.ask(['1'])).rejects.toThrow('200 no_answer: the server that answered is not Decider')
    for (const error of [{ code: 'nothing_here' }, { code: null, message: 'Not Found' }]) {
      const other = await setup(() => ({ status: 404, body: { error } }))
      await expect(other.ask(['1'])).rejects.toThrow('404 no_answer: the server that answered is not Decider')
    }
  })

  it('are not asked for at an address that the one given refers to', async () => {
    const location = 'https://api.example.com/v1/decisions'
    const { ask, arrived } = await setup(() => ({ status: 301, headers: { location }, body: null }))
    await expect(ask(['1'])).rejects.toThrow(
      `refers to ${location}. If the service is there, give that address.`,
    )
    expect(arrived).toEqual(['1'])
  })

  it('are given up where the service never recovers', async () => {
    const { ask, arrived } = await setup(() => refused(503, 'engine_timeout'))
    await expect(ask(['1'])).rejects.toThrow('503 engine_timeout: no, engine_timeout')
    expect(arrived).toHaveLength(10)
  })

  it.each([
    [400, 'invalid_calibration_profile', ''],
    [401, 'invalid_api_key', ''],
    [402, 'insufficient_credits', ''],
    [409, 'profile_model_mismatch', ''],
    [413, 'request_too_large', 'Line 6: '],
    [422, 'state_too_long', 'Line 6: '],
  ])('end at the first %i %s, and only what an example holds is blamed on its line', async (...expected) => {
    const [status, code, line] = expected
    const { ask, arrived } = await setup(body => (body === '5' ? refused(status, code) : decided(body)))
    await expect(ask(bodies)).rejects.toThrow(new Error(`${line}${status} ${code}: no, ${code}`))
    expect(arrived.length).toBeLessThan(20)
    expect(arrived.filter(body => body === '5')).toHaveLength(1)
  })

  it('are asked for no more once one has failed, because each costs', async () => {
    const { ask, arrived } = await setup(body => (body === '5' ? refused(401, 'no') : decided(body)))
    await expect(ask(bodies)).rejects.toThrow('401 no')
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(arrived.length).toBeLessThan(20)
  })

  it('are asked for again when the service says nothing for too long', async () => {
    const arrived: string[] = []
    const url = await serverOf(async (request, response) => {
      const body = await text(request)
      arrived.push(body)
      if (body === '1' && arrived.indexOf(body) === arrived.length - 1) return
      response.end(JSON.stringify(decided('m').body))
    })
    const tooLong = new AbortController()
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => tooLong.signal)
    onTestFinished(() => limit.mockRestore())
    const cases = ['1', '2'].map(body => ({ body, line: 1 }))
    const progress = { asked: (share: number) => share > 0 && tooLong.abort() }
    expect(await decideAll({ url, key: 'a_key' }, cases, progress, async () => {})).toHaveLength(2)
    expect(arrived.toSorted()).toEqual(['1', '1', '2'])
    expect(limit).toHaveBeenCalledWith(30_000)
  })

  it('end at once where nobody listens', async () => {
    const nowhere = { url: 'http://127.0.0.1:9', key: 'a_key' }
    const asked = decideAll(nowhere, [{ body: '{}', line: 1 }], { asked: () => {} }, () =>
      expect.fail('paused'),
    )
    await expect(asked).rejects.toThrow(/^http:\/\/127\.0\.0\.1:9 did not answer: ./)
  })
})
