import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { addressOf } from '../../src/testing/server.ts'
import type { Core } from '../core/core.ts'
import type { Caller } from '../core/reading/caller.ts'
import { HEADERS, type Refusal } from '../protocol.ts'
import { KEYS, sign } from '../testing/scorer.ts'
import { createBodyMemory } from './body.ts'
import { scoreRoute } from './score-route.ts'

const CORE = { draining: () => false, clearCache: () => 0, drain: async () => {} }
const PARTS = { keys: KEYS, timeOfDay: Date.now, onRefusedSignature: () => {} }

it('a body that cannot be read is counted as a fault', async () => {
  const outcomes: string[] = []
  const fault = new RangeError('Array buffer allocation failed')
  const body = Buffer.from('{}')
  const route = scoreRoute({
    ...PARTS,
    core: { ...CORE, score: () => Promise.reject(new Error('not read')) },
    onRequest: outcome => outcomes.push(outcome),
    now: () => 0,
    bodies: () => ({
      take: () => {
        throw fault
      },
      give: () => {},
    }),
  })
  const incoming = Object.assign(Readable.from([body]), { headers: { [HEADERS.signature]: sign(body) } })
  const reading = route(incoming as unknown as IncomingMessage, { closed: false } as ServerResponse)
  await expect(reading).rejects.toBe(fault)
  expect(outcomes).toEqual(['fault'])
})

it('a body that takes long leaves less time until the deadline, at which the core is told that nobody waits', async () => {
  let now = 1_000_000
  const scoring = Promise.withResolvers<Caller>()
  const gone = Promise.withResolvers<void>()
  const score: Core['score'] = (_, caller) => {
    caller.onGone(gone.resolve)
    scoring.resolve(caller)
    return new Promise(() => {})
  }
  const outcomes: string[] = []
  const route = scoreRoute({
    ...PARTS,
    core: { ...CORE, score },
    onRequest: outcome => outcomes.push(outcome),
    now: () => now,
    bodies: createBodyMemory(100, 100),
  })
  const server = createServer((incoming, response) => void route(incoming, response))
  const headers = {
    [HEADERS.signature]: sign(Buffer.from('{}'), { tenant: 'a' }),
    [HEADERS.deadline]: '60000',
    [HEADERS.tenant]: 'a',
  }
  const sent = request(await addressOf(server), { method: 'POST', headers })
  sent.flushHeaders()
  await once(server, 'request')
  now += 59_900
  sent.end('{}')

  const caller = await scoring.promise
  expect([caller.tenant, caller.deadline, caller.gone()]).toEqual(['a', 1_060_000, false])
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await answer.setEncoding('utf8').toArray()).join('')
  expect([answer.statusCode, (JSON.parse(text) as Refusal).error]).toEqual([504, 'deadline'])
  await gone.promise
  expect([caller.gone(), outcomes]).toEqual([true, ['deadline']])
})
