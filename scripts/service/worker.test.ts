import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { newFolder } from '../../test/folder.ts'
import { ROOT } from '../root.ts'
import { startChild } from './child.ts'
import { healthy } from './health.ts'
import { freePort } from './ports.ts'

const CONFIG = 'main = "index.ts"\ncompatibility_date = "2026-10-20"\n'

/** Starts a Worker in a folder of its own. */
const startWorker = async (source: string, config = CONFIG) => {
  const folder = await newFolder()
  const script = join(folder, 'scripts/service/worker.ts')
  await mkdir(join(folder, 'scripts/service'), { recursive: true })
  await copyFile(join(import.meta.dirname, 'worker.ts'), script)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries({ 'wrangler.toml': config, 'index.ts': source, vars: '' }))
    await writeFile(join(folder, name), text)
  const port = await freePort()
  const env = {
    ...process.env,
    ...{ XDG_CONFIG_HOME: folder, WRANGLER_LOG: 'warn', WRANGLER_WRITE_LOGS: 'false' },
    ...{ WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(settable(join(folder, 'set back')))}`,
  }
  const args = [String(port), join(folder, 'state'), join(folder, 'vars')]
  const child = startChild({ name: 'The edge', script, args, env })
  onTestFinished(child.stop)
  return { child, folder, url: `http://127.0.0.1:${port}`, env }
}

/** Sets the clock back by an hour once there is such a file. */
const settable = (file: string): string =>
  `import { existsSync } from 'node:fs'
   const { now } = Date
   Date.now = () => now() - (existsSync(${JSON.stringify(file)}) ? 3_600_000 : 0)`

/** What is said of a Worker that cannot start. */
const refusalOf = async (source: string, config?: string): Promise<string> => {
  const { child, url } = await startWorker(source, config)
  return healthy(child, url, AbortSignal.timeout(30_000)).then(String, (fault: Error) => fault.message)
}

it('a Worker that throws before it serves anything says what, and is not waited for', async () => {
  const said = await refusalOf("throw new Error('at the top')")
  expect(said).toMatch(/^The edge could not start\.$/m)
  expect(said).toContain('Uncaught Error: at the top')
}, 60_000)

it('a configuration that cannot be read is told by its line', async () => {
  const said = await refusalOf('', `${CONFIG}x = = 1`)
  expect(said).toMatch(/^The edge ended with code 1\.\n/)
  // Before it, wrangler tells of a proxy that the shell names.
  expect(said).toMatch(/\n {2}Invalid TOML document: invalid value \(line 3: x = = 1\)$/)
}, 60_000)

it('a Worker starts anew when the clock is set back, because its objects would wait for that to catch up', async () => {
  const source = 'let asked = 0; export default { fetch: () => new Response(String(++asked)) }'
  const { child, folder, url } = await startWorker(source)
  const ask = async () => (await fetch(url, { signal: AbortSignal.timeout(20_000) })).text()
  await vi.waitFor(async () => expect(Number(await ask())).toBeGreaterThan(2), { timeout: 30_000 })
  await writeFile(join(folder, 'set back'), '')
  await vi.waitFor(async () => expect(await ask()).toBe('1'), { timeout: 30_000, interval: 100 })
  // Before it, wrangler tells of a proxy that the shell names.
  expect(child.lastLines().at(-1)).toBe('The clock of this machine was set back: the edge starts anew.')
}, 90_000)

it('a Worker that has run for days still answers after another wrangler has tidied up', async () => {
  const source = "export default { fetch: () => new Response('here') }"
  const { folder, url, env } = await startWorker(source)
  const ask = async () => (await fetch(url, { signal: AbortSignal.timeout(5_000) })).text()
  await vi.waitFor(async () => expect(await ask()).toBe('here'), { timeout: 30_000 })
  const temporary = join(folder, '.wrangler/tmp')
  const bundles = (await readdir(temporary)).map(name => join(temporary, name))
  const changed = () => Promise.all(bundles.map(async path => (await stat(path)).mtimeMs))
  const daysAgo = new Date(Date.now() - 3 * 86_400_000)
  for (const path of bundles) await utimes(path, daysAgo, daysAgo)
  await vi.waitFor(async () => expect(Math.min(...(await changed()))).toBeGreaterThan(Date.now() - 60_000), {
    timeout: 30_000,
  })
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', '--dry-run', '--name', 'another', '--outdir', 'built'],
    { cwd: folder, env },
  )
  expect(await ask()).toBe('here')
}, 120_000)
