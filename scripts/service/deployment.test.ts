import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { ROOT } from './edge.ts'

const configured = (env?: string) =>
  unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), ...(env && { env }) }, { hideWarnings: true })

it('a deploy that forgets its environment does not replace the deployment', () => {
  expect(configured('production').name).toBe('decider')
  expect(configured().name).not.toBe('decider')
})

it('what is deployed has every binding that is developed with, and keeps no URL in a log', () => {
  const production = configured('production')
  expect(production.durable_objects).toEqual(configured().durable_objects)
  expect(production.vars).not.toHaveProperty('PAYMENTS')
  expect(production.observability).toMatchObject({
    logs: { invocation_logs: false },
    traces: { enabled: false },
  })
})
