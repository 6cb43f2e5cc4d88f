import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startChild } from './child.ts'
import { healthy } from './health.ts'
import { freePort } from './ports.ts'

it('what says that it cannot start, and runs on, is not waited for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'decider-health-'))
  const script = join(folder, 'wrangler.mjs')
  // As wrangler writes it, including colours, if it may not write to the repository.
  const told = String.raw`\x1b[31m✘ \x1b[41;31m[\x1b[41;97mERROR\x1b[41;31m]\x1b[0m \x1b[1mEACCES: mkdir\x1b[0m`
  await writeFile(script, `console.error("${told}"); setInterval(() => {}, 1000)`)
  const child = startChild({ name: 'The edge', script, env: process.env })
  const waiting = healthy(child, `http://127.0.0.1:${await freePort()}`, AbortSignal.timeout(30_000))
  await expect(waiting).rejects.toThrow(/^The edge could not start\.\n {2}✘ \[ERROR\] EACCES: mkdir$/)
  await child.stop()
  await rm(folder, { recursive: true })
})
