import { env } from 'cloudflare:workers'
import { describe, expect, inject, it, vi } from 'vitest'
import { Gate } from './access/gate.ts'
import { Activity } from './activity/activity.ts'
import type { ActivityRecord } from './activity/record.ts'
import type { Services } from './services.ts'
import { openAccount } from './testing/accounts.ts'
import { linesOf } from './testing/log.ts'
import { servicesFrom } from './wiring.ts'

it.each(['SCORER_SECRET', 'TENANT_SECRET', 'PROFILE_KEYS'])('serves nobody without %s', name => {
  expect(() => servicesFrom(env)).not.toThrow()
  expect(() => servicesFrom({ ...env, [name]: '' })).toThrow(name)
})

it('serves nobody with several keys in SCORER_SECRET, of which it could sign with any', () => {
  const SCORER_SECRET = `${env.SCORER_SECRET},second:${'B'.repeat(43)}`
  expect(() => servicesFrom({ ...env, SCORER_SECRET })).toThrow('SCORER_SECRET')
})

describe('the log has a line', () => {
  const NOBODY_THERE = 'http://127.0.0.1:9'
  const settled = async ({ gatekeeper }: Services) => {
    const { newKey } = await openAccount()
    const admission = await gatekeeper.admit((await newKey()).hash, 1)
    if (admission.kind !== 'admitted') throw new Error(admission.kind)
    await (await admission.settle({ inputTokens: 1, costNanodollars: 100 })).delivered
  }

  it.each<[object, Partial<Env>, (services: Services) => unknown]>([
    [
      { kind: 'scorer', fault: 'nonsense', call: 'health' },
      { SCORER_URL: `${inject('unrulyScorer')}/nonsense` },
      ({ scorer }) => scorer.health(),
    ],
    [
      { kind: 'leak_reports', status: 404 },
      { SECRET_SCANNING_KEYS_URL: `${inject('unrulyScorer')}/keys` },
      ({ leakReporterKeys }) => leakReporterKeys('k1'),
    ],
    [
      { kind: 'shared_limiter', why: 'error' },
      { UPSTASH_REDIS_REST_URL: NOBODY_THERE, UPSTASH_REDIS_REST_TOKEN: 'token' },
      settled,
    ],
    [{ kind: 'unsettled', requests: 1 }, {}, settled],
    [
      { kind: 'gate_overloaded' },
      { GATE: { getByName: () => ({ admit: () => Promise.reject({ overloaded: true }) }) } as never },
      ({ gatekeeper }) => gatekeeper.admit('hash', 1),
    ],
    [
      { kind: 'unrecorded', requests: 1 },
      {},
      ({ activity }) => activity.record({ accountId: 'acct_1', at: 0 } as ActivityRecord),
    ],
  ])('%j', async (line, settings, provoke) => {
    vi.spyOn(Gate.prototype, 'settle').mockImplementation(() => {
      throw new Error('The Gate fell over.')
    })
    vi.spyOn(Activity.prototype, 'append').mockRejectedValue(new Error('The disk is full.'))
    const lines = linesOf('error')
    linesOf('log')
    await provoke(servicesFrom({ ...env, ...settings }))
    expect(lines()).toContainEqual(line)
  })
})
