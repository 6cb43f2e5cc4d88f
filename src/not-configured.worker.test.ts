import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { NOTHING_HERE } from './http/nothing-here.ts'
import edge from './index.ts'
import { newAccount } from './testing/admin-api.ts'

const ask = async (settings: Partial<Env>, method: string, path: string, body?: object) => {
  const context = createExecutionContext()
  const headers = { authorization: `Bearer ${env.ADMIN_SECRET}`, 'stripe-signature': 't=1,v1=1' }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const answer = await edge.fetch(
    new Request(`https://decider.test${path}`, sent),
    { ...env, ...settings },
    context,
  )
  await waitOnExecutionContext(context)
  const { error } = (await answer.json()) as { error: { message: string } }
  return { status: answer.status, message: error.message }
}

it.each<[keyof Env, string, string]>([
  ['ADMIN_SECRET', 'GET', '/admin/v1/accounts'],
  ['ADMIN_SECRET', 'GET', '/admin/v1/doctor'],
  ['STRIPE_WEBHOOK_SECRET', 'POST', '/webhooks/stripe'],
])('without %s there is nothing at %s %s', async (setting, method, path) => {
  for (const absent of [undefined, '']) {
    const { status, message } = await ask({ [setting]: absent }, method, path)
    expect(status).toBe(404)
    expect(message).toContain(NOTHING_HERE)
  }
})

it('without payments there is no page to pay on', async () => {
  const order = { amount_usd: '25.00', return_url: 'https://example.com/thanks' }
  const path = `/admin/v1/accounts/${await newAccount()}/checkout`
  expect(await ask({ PAYMENTS: '' }, 'POST', path, order)).toEqual({
    status: 404,
    message: 'Payments are not configured.',
  })
})
