import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { servicesFrom } from './wiring.ts'

it.each(['SCORER_SECRET', 'TENANT_SECRET', 'PROFILE_KEYS'])('serves nobody without %s', name => {
  expect(() => servicesFrom(env)).not.toThrow()
  expect(() => servicesFrom({ ...env, [name]: '' })).toThrow(name)
})
