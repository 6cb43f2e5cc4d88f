import { describe, expect, it, onTestFinished } from 'vitest'
import { startScorer } from '../../scorer/testing/scorer.ts'
import { serverOf } from '../../src/testing/server.ts'
import { decider, secretOf, serviceAnswering, shortenTimeLimits } from './testing.ts'

describe('doctor --scorer', () => {
  const args = ['doctor', '--scorer']
  const SCORER_SECRET = secretOf('k1')

  it('asks that scorer itself, needs no admin secret, and says what it heard', async () => {
    const { env, asked } = await serviceAnswering(503, { ok: true, ready: false })
    const { code, out } = await decider([...args, env.DECIDER_URL], { env: { SCORER_SECRET } })
    expect(code).toBe(1)
    expect(out).toMatch(/FAIL +scorer +draining: it is being stopped/)
    expect(asked.map(({ line }) => line)).toEqual(['GET /healthz', 'GET /healthz'])
  })

  it.each([
    [{}, [], 'Set SCORER_SECRET'],
    [{ SCORER_SECRET }, ['--url', 'https://api.example.com'], 'Give --scorer or --url, not both.'],
  ])('with %j and %j ends with 2', async (env, more, says) => {
    const { code, err } = await decider([...args, 'http://127.0.0.1:9', ...more], { env })
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})

describe('the doctor', () => {
  it.each([
    [401, 'answers at http'],
    [404, 'is not the base address of the service'],
    [500, 'one of the secrets or variables below is malformed'],
  ])('says what a %i of the edge means', async (status, why) => {
    const { env } = await serviceAnswering(status, {})
    const { code, out } = await decider(['doctor'], { env })
    expect(code).toBe(1)
    expect(out).toContain(why)
    expect(out).toMatch(/^FAIL +admin API /m)
  })

  it.each([403, 429, 503])(
    'says of a %i that is not of the edge that it never arrived there',
    async status => {
      const { env } = await serviceAnswering(status, 'error code: 1010', null)
      const { out } = await decider(['doctor'], { env })
      expect(out).toMatch(
        new RegExp(
          `^FAIL +edge +answered ${status} instead of 401: not by the service, but by .+ in front`,
          'm',
        ),
      )
    },
  )

  it('says so where nothing answers', async () => {
    const env = { DECIDER_URL: 'http://127.0.0.1:9', DECIDER_ADMIN_SECRET: 's3cret' }
    const { code, out } = await decider(['doctor'], { env })
    expect(code).toBe(1)
    expect(out).toMatch(/^FAIL +edge +nothing answers at http:\/\/127\.0\.0\.1:9$/m)
  })

  it('says so, too, of an edge that takes a request and never answers', async () => {
    const url = await serverOf(() => {})
    shortenTimeLimits()
    const { code, out } = await decider(['doctor'], {
      env: { DECIDER_URL: url, DECIDER_ADMIN_SECRET: 's3cret' },
    })
    expect(code).toBe(1)
    expect(out).toMatch(/^FAIL +edge +nothing answers at /m)
  })
})

describe('the doctor of one scorer', () => {
  const examine = (url: string, SCORER_SECRET: string) =>
    decider(['doctor', '--scorer', url], { env: { SCORER_SECRET }, isTerminal: false })

  it('tests each key of a list, as the scorer has one while keys are rotated', async () => {
    const scorer = await startScorer({ SCORER_SECRET: `${secretOf('scorer-1')},${secretOf('scorer-2')}` })
    onTestFinished(scorer.stop)
    const { code, out } = await examine(scorer.url, `${secretOf('scorer-1')}, ${secretOf('scorer-2')}`)
    expect(out).toMatch(
      /^ok\tscorer\t.+\nok\tscorer signature by scorer-1\tscored .+\nok\tscorer signature by scorer-2\tscored .+\n$/,
    )
    expect(code).toBe(0)

    const other = await examine(scorer.url, `${secretOf('scorer-2')},${secretOf('scorer-3')}`)
    expect(other.out).toMatch(/^ok\tscorer signature by scorer-2\t/m)
    expect(other.out).toMatch(/^FAIL\tscorer signature by scorer-3\tbad_signature: /m)
    expect(other.code).toBe(1)
  })

  it('refuses what is no list of keys, and tells nothing of it', async () => {
    const { code, out, err } = await examine('http://127.0.0.1:9', `${secretOf('scorer-1')},hunter2`)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^SCORER_SECRET must be <id>:/)
    expect(err).not.toMatch(/AAAA|hunter2/)
  })
})
