import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startChild } from './child.ts'
import { ROOT } from './edge.ts'
import { healthy } from './health.ts'
import { freePort } from './ports.ts'

const CONFIG = 'main = "index.ts"\ncompatibility_date = "2026-10-20"\n'

/** The output for a Worker that cannot start, in its own folder. */
const refusalOf = async (config: string, source: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'decider-worker-'))
  const script = join(folder, 'scripts/service/worker.ts')
  await mkdir(join(folder, 'scripts/service'), { recursive: true })
  await copyFile(join(import.meta.dirname, 'worker.ts'), script)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries({ 'wrangler.toml': config, 'index.ts': source, vars: '' }))
    await writeFile(join(folder, name), text)
  const port = await freePort()
  const child = startChild({
    name: 'The edge',
    script,
    args: [String(port), join(folder, 'state'), join(folder, 'vars')],
    env: {
      ...process.env,
      ...{ XDG_CONFIG_HOME: folder, WRANGLER_LOG: 'warn', WRANGLER_WRITE_LOGS: 'false' },
      ...{ WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
    },
  })
  const said = await healthy(child, `http://127.0.0.1:${port}`, AbortSignal.timeout(30_000)).then(
    String,
    (fault: Error) => fault.message,
  )
  await child.stop()
  await rm(folder, { recursive: true })
  return said
}

it('a Worker that throws before it serves anything says what, and is not waited for', async () => {
  const said = await refusalOf(CONFIG, "throw new Error('at the top')")
  expect(said).toMatch(/^The edge could not start\.$/m)
  expect(said).toContain('Uncaught Error: at the top')
}, 60_000)

it('a configuration that cannot be read is told by its line', async () => {
  expect(await refusalOf(`${CONFIG}x = = 1`, '')).toBe(
    'The edge ended with code 1.\n  Invalid TOML document: invalid value (line 3: x = = 1)',
  )
}, 60_000)
