import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { ROOT } from '../root.ts'

// Empty means the top level, whatever CLOUDFLARE_ENV is.
const configured = (env = '') =>
  unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), env }, { hideWarnings: true })

it('a deploy that forgets its environment does not replace the deployment', () => {
  expect(configured('production').name).toBe('decider')
  expect(configured().name).not.toBe('decider')
})

it('what is deployed has every binding that is developed with, and keeps of a URL no more than its path in a log', () => {
  const production = configured('production')
  expect(production.durable_objects.bindings).toEqual(configured().durable_objects.bindings)
  expect(production.vars).not.toHaveProperty('PAYMENTS')
  expect(production.observability).toMatchObject({
    redact_query_string: true,
    logs: { invocation_logs: false },
    traces: { enabled: false },
    issues: { enabled: false },
  })
})

it('a deploy leaves no object on the old code, which would misread what the new Worker asks', () => {
  expect(configured('production').durable_objects.code_update_strategy).toEqual({ mode: 'immediate' })
})

it('the commands of package.json report nothing of their use: wrangler heeds send_metrics for a part of it only', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const commands = Object.values<string>(scripts).flatMap(script => script.split(' && '))
  const ofWrangler = commands.filter(command => command.includes('wrangler '))
  expect(ofWrangler.length).toBeGreaterThan(0)
  for (const command of ofWrangler) expect(command).toMatch(/^WRANGLER_SEND_METRICS=false wrangler /)
})
