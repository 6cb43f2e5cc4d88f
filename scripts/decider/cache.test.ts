import { describe, expect, it } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { decider, secretOf, serviceAnswering, shortenTimeLimits } from './testing.ts'

describe('cache clear', () => {
  it('forgets everything unless an account is named', async () => {
    const { env, asked } = await serviceAnswering(200, { cleared: 3 })
    const args = ['cache', 'clear', '--scorer', env.DECIDER_URL]
    const { out } = await decider(args, { env: { SCORER_SECRET: secretOf('scorer-1') } })
    expect(out).toBe('states forgotten: 3\n')
    expect(asked).toMatchObject([{ line: 'POST /cache/clear', body: '{}' }])
  })

  const notOne = 'is not a scorer, or a proxy that does not pass this on'
  it.each([
    [401, { error: 'bad_signature', message: 'the signature is wrong' }, 'refuses: the signature is wrong.'],
    [401, { message: 'no\u001b[2J' }, 'refuses: no\uFFFD[2J.'],
    [404, '<h1>Not Found</h1>', `${notOne} (404): ask each scorer at an address of its own.`],
    [200, {}, `${notOne} (200): ask each scorer at an address of its own.`],
  ])('says why nothing was forgotten if the answer is %i %j', async (status, answer, why) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    const scorer = await serverOf((_, response) => response.writeHead(status).end(text))
    const SCORER_SECRET = secretOf('scorer-1')
    const { code, err } = await decider(['cache', 'clear', '--scorer', scorer], { env: { SCORER_SECRET } })
    expect(code).toBe(1)
    expect(err).toContain(why)
  })
})

it('cache clear --account refuses what is not the id of an account: nothing would be forgotten', async () => {
  const { env, asked } = await serviceAnswering(200, { cleared: 0 })
  const args = ['cache', 'clear', '--scorer', env.DECIDER_URL, '--account', 'key_0d6d08c2809cf195b4e9256d']
  const { code, err } = await decider(args, { env: { SCORER_SECRET: secretOf('scorer-1') } })
  expect({ code, err }).toEqual({ code: 2, err: '--account must be the id of an account, acct_…\n' })
  expect(asked).toEqual([])
})

it('cache clear --account needs the secret that the scorer’s name of an account is made with', async () => {
  const args = [
    'cache',
    'clear',
    '--scorer',
    'http://127.0.0.1:9',
    '--account',
    'acct_0d6d08c2809cf195b4e9256d',
  ]
  const { code, err } = await decider(args, { env: { SCORER_SECRET: secretOf('scorer-1') } })
  expect({ code, err }).toEqual({ code: 2, err: 'Set TENANT_SECRET to the secret of the edge.\n' })
})

it('cache clear names the address that it is referred to, and sends nothing there', async () => {
  const { env, asked } = await serviceAnswering(200, { cleared: 0 })
  const scorer = await serverOf((_, response) =>
    response.writeHead(301, { location: `${env.DECIDER_URL}/cache/clear` }).end(),
  )
  const terminal = { env: { SCORER_SECRET: secretOf('scorer-1') } }
  const { code, err } = await decider(['cache', 'clear', '--scorer', scorer], terminal)
  const referred = `${scorer} refers to ${env.DECIDER_URL}/cache/clear. If the service is there, give that address.\n`
  expect({ code, err, asked }).toEqual({ code: 1, err: referred, asked: [] })
})

it('cache clear says where nothing answers', async () => {
  const args = ['cache', 'clear', '--scorer', 'http://127.0.0.1:9']
  const { code, err } = await decider(args, { env: { SCORER_SECRET: secretOf('scorer-1') } })
  expect({ code, err }).toEqual({ code: 1, err: 'Nothing answers at http://127.0.0.1:9.\n' })
})

it('cache clear says so, too, of what takes the request and never answers', async () => {
  const scorer = await serverOf(() => {})
  shortenTimeLimits()
  const terminal = { env: { SCORER_SECRET: secretOf('scorer-1') } }
  const { code, err } = await decider(['cache', 'clear', '--scorer', scorer], terminal)
  expect({ code, err }).toEqual({ code: 1, err: `Nothing answers at ${scorer}.\n` })
})
