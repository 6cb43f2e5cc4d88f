import { env } from 'cloudflare:workers'
import { describe, expect, inject, it, vi } from 'vitest'
import { version } from '../../package.json'
import { PROTOCOL } from '../../scorer/protocol.ts'
import { call } from '../testing/admin-api.ts'
import { stopTimers } from '../testing/clock.ts'
import { SCORER_KEY } from '../testing/unruly-scorer.ts'
import { examine } from './doctor.ts'

const healthyEnv = (): Env => ({
  ...env,
  SCORER_URL: `${inject('unrulyScorer')}/healthy`,
  SCORER_SECRET: `${SCORER_KEY.id}:${Buffer.from(SCORER_KEY.secret).toString('base64url')}`,
})

const behaving = (behaviour: string) => `${inject('unrulyScorer')}/${behaviour}`

const findingsFor = async (changed: Partial<Env>) => {
  const findings = await examine({ ...healthyEnv(), ...changed })
  return Object.fromEntries(findings.map(({ check, ok, detail }) => [check, { ok, detail }]))
}

const UPSTASH = { UPSTASH_REDIS_REST_URL: 'https://upstash.invalid', UPSTASH_REDIS_REST_TOKEN: 't' }

/** Answers what is asked of this origin; all else goes where it is sent. */
const answering = (asked: string, answer: (path: string, init?: RequestInit) => Promise<Response>) => {
  const elsewhere = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((address, init) => {
    const { origin, pathname } = new URL(String(address))
    return origin === asked ? answer(pathname, init) : elsewhere(address, init)
  })
}

describe('the doctor', () => {
  it('reports the bindings and secrets of a good environment as in order', async () => {
    const findings = await findingsFor({ ADMIN_SECRET: 'a'.repeat(16) })
    expect(findings['secret ADMIN_SECRET']).toEqual({ ok: true, detail: 'is set' })
    for (const check of ['GATE', 'ACCOUNT', 'ACTIVITY', 'DIRECTORY']) {
      expect(findings[`binding ${check}`]).toEqual({ ok: true, detail: 'answers' })
    }
    expect(findings['secret PROFILE_KEYS']).toEqual({ ok: true, detail: 'signs as tests, verifies tests' })
    expect(findings['edge version']).toEqual({ ok: true, detail: `${version}, protocol ${PROTOCOL}` })
    expect(findings.upstash).toEqual({ ok: true, detail: 'off: only the Gates enforce limits' })
    expect(findings.payments).toEqual({ ok: true, detail: 'local: no money moves' })
  })

  it.each([
    ['secret ADMIN_SECRET', { ADMIN_SECRET: 'a'.repeat(15) }, 'is shorter than 16 characters'],
    ['secret TENANT_SECRET', { TENANT_SECRET: '' }, 'is not set'],
    [
      'secret SCORER_SECRET',
      { SCORER_SECRET: 'no colon' },
      'must be <id>:<base64url key of 32 bytes or more>',
    ],
    [
      'secret SCORER_SECRET',
      { SCORER_SECRET: `tests:${'A'.repeat(20)} ${'A'.repeat(23)}` },
      'must be <id>:<base64url key of 32 bytes or more>',
    ],
    [
      'secret SCORER_SECRET',
      { SCORER_SECRET: `tests:${'A'.repeat(40)}` },
      'must be <id>:<base64url key of 32 bytes or more>',
    ],
    [
      'secret PROFILE_KEYS',
      { PROFILE_KEYS: `k1:${'A'.repeat(40)}` },
      'must be <id>:<base64url key of 32 bytes or more>, or several separated by commas, each id once, newest first',
    ],
    ['variable MODEL_ALIASES', { MODEL_ALIASES: '[' }, 'must be a JSON object from name to name'],
    ['variable MODEL_ALIASES', { MODEL_ALIASES: '["jev"]' }, 'must be a JSON object from name to name'],
    [
      'variable MODEL_ALIASES',
      { MODEL_ALIASES: '{"jev-latest":"decider-1","mine":"gone"}', SCORER_URL: behaving('full') },
      'stand for no model of the scorer: mine',
    ],
    [
      'variable SCORER_URL',
      { SCORER_URL: 'http://scorer.example.invalid' },
      'must begin with https://: otherwise content would travel unencrypted',
    ],
    [
      'variable SCORER_URL',
      { SCORER_URL: 'ftp://localhost' },
      'must begin with https://: otherwise content would travel unencrypted',
    ],
    [
      'variable SCORER_URL',
      { SCORER_URL: 'scorer.example.com' },
      'must be an address that begins with https://',
    ],
    [
      'upstash',
      { UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9' },
      'needs both UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN',
    ],
    [
      'upstash',
      { UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9', UPSTASH_REDIS_REST_TOKEN: 't' },
      'cannot be used: it needs the address of the REST API and a token that can write, and must not be full or past a limit of its plan',
    ],
    [
      'upstash',
      { UPSTASH_REDIS_REST_URL: 'http://redis.example.invalid', UPSTASH_REDIS_REST_TOKEN: 't' },
      'must begin with https://: otherwise its token would travel unencrypted',
    ],
    [
      'payments',
      { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: '' },
      'Stripe also needs STRIPE_WEBHOOK_SECRET, or payments are never credited',
    ],
    [
      'payments',
      { PAYMENTS: '' },
      'STRIPE_WEBHOOK_SECRET also needs STRIPE_SECRET_KEY, or refunds and disputes are never booked',
    ],
  ])('says what is wrong with %s', async (check, changed, detail) => {
    expect((await findingsFor(changed))[check]).toEqual({ ok: false, detail })
  })

  it.each([
    ['http://127.0.0.1:9', 'unreachable: nothing answers there. '],
    [behaving('stopping'), 'draining: it is being stopped'],
    [behaving('nonsense'), 'nonsense: what answers there is not a scorer'],
    [behaving('bad-gateway'), 'refused: something else answers in its place, '],
  ])('says why the scorer is not well: %s', async (SCORER_URL, detail) => {
    const findings = await findingsFor({ SCORER_URL })
    expect(findings.scorer).toEqual({ ok: false, detail: expect.stringContaining(detail) })
    expect(findings['scorer signature']).toEqual({
      ok: false,
      detail: 'cannot be tested while the scorer does not answer',
    })
  })

  it.each([
    ['bad-signature', 'bad_signature: most likely it has another SCORER_SECRET. '],
    ['clock', 'clock: its SCORER_SECRET is the same, but '],
    ['wrong-version', `wrong_version: it does not speak ${PROTOCOL}. `],
    ['full', 'full: it has too much to do'],
    ['draining', 'draining: it is being stopped'],
    ['faulty', 'fault: it failed. '],
    ['proxy-page', 'refused: '],
    ['redirecting', 'refused: '],
  ])('blames the secret only if the scorer itself does: %s', async (behaviour, detail) => {
    const findings = await findingsFor({ SCORER_URL: behaving(behaviour) })
    expect(findings.scorer).toEqual({
      ok: true,
      detail: `unruly with snapshot, version 0.0.0, protocol ${PROTOCOL}`,
    })
    expect(findings['scorer signature']).toEqual({ ok: false, detail: expect.stringContaining(detail) })
  })

  it('leaves open what is wrong if a scorer too old to say it refuses the signature', async () => {
    const findings = await findingsFor({ SCORER_URL: behaving('old') })
    expect(findings.scorer).toEqual({
      ok: true,
      detail: 'unruly with snapshot, version unknown, protocol unknown',
    })
    expect(findings['scorer signature']?.detail).toBe(
      'bad_signature: it is older than this edge, and speaks another protocol, has another SCORER_SECRET, or its clock is wrong',
    )
  })

  it.each([
    ['payments', { PAYMENTS: '', STRIPE_WEBHOOK_SECRET: '' }, 'off: only the operator tops up'],
    [
      'variable MODEL_ALIASES',
      { MODEL_ALIASES: '{"mine":"gone"}', SCORER_URL: behaving('stopping') },
      '1 set by the operator',
    ],
  ])('finds nothing wrong with %s where nothing more is known', async (check, changed, detail) => {
    expect((await findingsFor(changed))[check]).toEqual({ ok: true, detail })
  })

  it('says which names of the operator have no effect because they are ids of snapshots', async () => {
    const changed = {
      MODEL_ALIASES: '{"mine":"snapshot","snapshot":"decider-1"}',
      SCORER_URL: behaving('full'),
    }
    expect((await findingsFor(changed))['variable MODEL_ALIASES']).toEqual({
      ok: true,
      detail: '2 set by the operator, without effect on the ids of snapshots: snapshot',
    })
  })

  it('does not accept pretended payments beside a scorer on another machine', async () => {
    // 0.0.0.0 is no name of this machine, and refuses at once on every system.
    for (const SCORER_URL of ['http://0.0.0.0:9', 'scorer']) {
      expect((await findingsFor({ SCORER_URL })).payments).toEqual({
        ok: false,
        detail: 'PAYMENTS=local is for development on one machine: it credits money that nobody paid',
      })
    }
  })

  it.each([
    [0, true, 'answers'],
    [200, false, 'is too far away: no request waits for it longer than 250 ms in all'],
    // A busy machine may itself be slow.
  ])('judges Upstash by how long a request waits: %i ms away', { retry: 5 }, async (ms, ok, detail) => {
    const bucket = { result: [1, Date.now() + 60_000, 1] }
    answering('https://upstash.invalid', async (_, init) => {
      await scheduler.wait(ms, { ...(init?.signal && { signal: init.signal }) })
      return Response.json([bucket, bucket])
    })
    expect((await findingsFor(UPSTASH)).upstash).toEqual({ ok, detail })
  })

  it('says that Upstash does not answer', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    answering('https://upstash.invalid', (_, init) => {
      resolve()
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    })
    stopTimers()
    const findings = findingsFor(UPSTASH)
    await asked
    vi.advanceTimersByTime(2_000)
    vi.useRealTimers()
    expect((await findings).upstash).toEqual({ ok: false, detail: 'does not answer within 2000 ms' })
  })

  const stripeAnswering = (statusFor: (path: string) => number) => {
    answering('https://api.stripe.com', async path => {
      const status = statusFor(path)
      return Response.json(status === 200 ? { metadata: {} } : { error: { type: 'invalid_request_error' } }, {
        status,
      })
    })
    return { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
  }

  it.each([
    [400, true, 'Stripe answers'],
    [404, true, 'Stripe answers'],
    [401, false, 'Stripe refuses STRIPE_SECRET_KEY'],
    [500, false, 'Stripe does not answer'],
    [200, false, 'Stripe does not answer'],
  ])('tries the key for Stripe: an answer of %i', async (status, ok, detail) => {
    const changed = stripeAnswering(() => status)
    expect((await findingsFor(changed)).payments).toEqual({ ok, detail })
  })

  it.each(['sk_test_x', 'rk_test_x'])('says that no money moves with the key %s', async STRIPE_SECRET_KEY => {
    const changed = { ...stripeAnswering(() => 400), STRIPE_SECRET_KEY }
    const detail = 'Stripe answers, in test mode: no money moves'
    expect((await findingsFor(changed)).payments).toEqual({ ok: true, detail })
  })

  it.each([
    ['/v1/charges/doctor', 'read charges, as refunds and disputes need'],
    ['/v1/payment_intents', 'write PaymentIntents, as automatic reloads need'],
    ['/v1/checkout/sessions', 'write Checkout Sessions, as payment pages need'],
  ])('says what a restricted key for Stripe lacks: %s', async (forbidden, needs) => {
    const changed = stripeAnswering(path => (path === forbidden ? 403 : 400))
    const detail = `STRIPE_SECRET_KEY may not ${needs}`
    expect((await findingsFor(changed)).payments).toEqual({ ok: false, detail })
  })

  it('answers that not all is well if one finding is bad, though others are good', async () => {
    const { body } = await call('GET', '/doctor')
    expect(body).toMatchObject({ object: 'doctor', ok: false })
    expect(body.data).toContainEqual({ check: 'binding GATE', ok: true, detail: 'answers' })
  })

  it('reveals no secret', async () => {
    const secrets = { ADMIN_SECRET: 'hunter2-hunter2-hunter2', PROFILE_KEYS: 'k1:hunter2' }
    expect(JSON.stringify(await findingsFor(secrets))).not.toContain('hunter2')
  })
})
