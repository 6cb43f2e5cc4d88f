import { expect, it, onTestFinished, vi } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import type { Child } from './child.ts'
import { healthy } from './health.ts'
import { freePort } from './ports.ts'
import { startSource } from './testing.ts'

it('what says that it cannot start, and runs on, is not waited for', async () => {
  // As wrangler writes it, including colours, if it may not write to the repository.
  const told = String.raw`\x1b[31m✘ \x1b[41;31m[\x1b[41;97mERROR\x1b[41;31m]\x1b[0m \x1b[1mEACCES: mkdir\x1b[0m`
  const child = await startSource(`console.error("${told}"); setInterval(() => {}, 1000)`)
  const waiting = healthy(child, `http://127.0.0.1:${await freePort()}`, AbortSignal.timeout(30_000))
  await expect(waiting).rejects.toThrow(/^The edge could not start\.\n {2}✘ \[ERROR\] EACCES: mkdir$/)
})

it('a caller who hangs up during the start does not end it', async () => {
  const port = await freePort()
  const child = await startSource(
    `import { createServer } from 'node:http'
    console.error('[ERROR] Error inside ProxyWorker (the affected request failed; the dev server continues): lost.')
    createServer((_, answer) => answer.end('{"ok":true}')).listen(${port}, '127.0.0.1')`,
  )
  await vi.waitFor(() => expect(child.lastLines()).not.toEqual([]), 30_000)
  await healthy(child, `http://127.0.0.1:${port}`, AbortSignal.timeout(30_000))
})

it('a clock that is set during the start, as on a machine that wakes, does not end it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const url = await serverOf((_, answer) => {
    vi.setSystemTime(Date.now() + 3_600_000)
    answer.end(JSON.stringify({ ok: ++asked > 1 }))
  })
  const child: Child = {
    ...{ name: 'The edge', lastLines: () => [], stop: async () => {}, kill: async () => {} },
    ended: new Promise(() => {}),
    isRunning: () => true,
  }
  await healthy(child, url)
  expect(asked).toBe(2)
})
