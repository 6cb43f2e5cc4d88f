import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { servicesFrom } from './wiring.ts'

it.each(['SCORER_SECRET', 'TENANT_SECRET', 'PROFILE_KEYS'])('serves nobody without %s', name => {
  expect(() => servicesFrom(env)).not.toThrow()
  expect(() => servicesFrom({ ...env, [name]: '' })).toThrow(name)
})

it('serves nobody with several keys in SCORER_SECRET, of which it could sign with any', () => {
  const SCORER_SECRET = `${env.SCORER_SECRET},second:${'B'.repeat(43)}`
  expect(() => servicesFrom({ ...env, SCORER_SECRET })).toThrow('SCORER_SECRET')
})
