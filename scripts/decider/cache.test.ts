import { describe, expect, it } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { decider, secretOf, serviceAnswering, shortenTimeLimits } from './testing.ts'

const clear = (scorer: string, ...more: string[]) =>
  decider(['cache', 'clear', '--scorer', scorer, ...more], { env: { SCORER_SECRET: secretOf('scorer-1') } })

const NOBODY = 'http://127.0.0.1:9'

describe('cache clear', () => {
  it('forgets everything unless an account is named', async () => {
    const { env, asked } = await serviceAnswering(200, { cleared: 3 })
    expect((await clear(env.DECIDER_URL)).out).toBe('states forgotten: 3\n')
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
    const { code, err } = await clear(await serverOf((_, response) => response.writeHead(status).end(text)))
    expect(code).toBe(1)
    expect(err).toContain(why)
  })

  it('refuses as --account what is not the id of one: nothing would be forgotten', async () => {
    const { env, asked } = await serviceAnswering(200, { cleared: 0 })
    const { code, err } = await clear(env.DECIDER_URL, '--account', 'key_0d6d08c2809cf195b4e9256d')
    expect({ code, err }).toEqual({ code: 2, err: '--account must be the id of an account, acct_…\n' })
    expect(asked).toEqual([])
  })

  it('needs the secret that the scorer’s name of an account is made with', async () => {
    const { code, err } = await clear(NOBODY, '--account', 'acct_0d6d08c2809cf195b4e9256d')
    expect({ code, err }).toEqual({ code: 2, err: 'Set TENANT_SECRET to the secret of the edge.\n' })
  })

  it('names the address that it is referred to, and sends nothing there', async () => {
    const { env, asked } = await serviceAnswering(200, { cleared: 0 })
    const scorer = await serverOf((_, response) =>
      response.writeHead(301, { location: `${env.DECIDER_URL}/cache/clear` }).end(),
    )
    const { code, err } = await clear(scorer)
    const referred = `${scorer} refers to ${env.DECIDER_URL}/cache/clear. If the service is there, give that address.\n`
    expect({ code, err, asked }).toEqual({ code: 1, err: referred, asked: [] })
  })

  it('says where nothing answers', async () => {
    const { code, err } = await clear(NOBODY)
    expect({ code, err }).toEqual({ code: 1, err: `Nothing answers at ${NOBODY}.\n` })
  })

  it('says so, too, of what takes the request and never answers', async () => {
    const scorer = await serverOf(() => {})
    shortenTimeLimits()
    const { code, err } = await clear(scorer)
    expect({ code, err }).toEqual({ code: 1, err: `Nothing answers at ${scorer}.\n` })
  })
})
