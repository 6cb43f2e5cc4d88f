import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import edge from '../index.ts'
import { linesOf } from '../testing/log.ts'

const cutOff = () =>
  new ReadableStream({
    type: 'bytes',
    pull: controller => {
      controller.enqueue(new Uint8Array([0x7b]))
      controller.error(new Error('Network connection lost.'))
    },
  })

// A line of a fault calls the operator, and for two of these paths nobody needs a key.
it.each<[string, Record<string, string>]>([
  ['/webhooks/stripe', { 'stripe-signature': 't=1,v1=0' }],
  ['/webhooks/secret-scanning', { 'github-public-key-identifier': 'k', 'github-public-key-signature': 's' }],
  ['/admin/v1/accounts', { authorization: `Bearer ${env.ADMIN_SECRET}` }],
])('a body of POST %s whose sender hangs up is refused, and is no fault', async (path, headers) => {
  const faults = linesOf('error')
  const sent = new Request(`https://decider.test${path}`, { method: 'POST', headers, body: cutOff() })
  const answer = await edge.fetch(sent, env, createExecutionContext())
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({
    error: { code: 'invalid_schema', message: 'body ended early', param: 'body' },
  })
  expect(faults()).toEqual([])
})
