import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { ROOT } from '../root.ts'
import { startProxy } from './testing.ts'

/** Runs a command in a shell that names a proxy, and waits until it has failed. */
const run = async (command: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const [script = '', ...args] = command.split(' ')
  const child = spawn(process.execPath, [join(ROOT, 'scripts', script), ...args], {
    cwd: ROOT,
    env: { ...env, DECIDER_ADMIN_SECRET: 's', DECIDER_API_KEY: 'k' },
    stdio: 'ignore',
  })
  expect(await once(child, 'close')).toEqual([1, null])
}

it.each([
  ['decider.ts accounts list', 'GET /admin/v1/accounts'],
  ['calibrate.ts examples/support-tickets.jsonl', 'POST /v1/calibrations'],
  ['calibrate.ts examples/support-tickets.jsonl --score', 'POST /v1/decisions'],
  ['bench/calibration.ts', 'POST /v1/decisions'],
])('%s asks a service on this machine directly, whatever proxy the shell names', async (command, line) => {
  const { asked, env } = await startProxy()
  const lines = new Set<string>()
  const DECIDER_URL = await serverOf(async (request, response) => {
    lines.add(`${request.method} ${request.url}`)
    await text(request)
    response.writeHead(401).end()
  })
  await run(command, { ...env, DECIDER_URL })
  expect({ asked, lines: [...lines] }).toEqual({ asked: [], lines: [line] })
})

it.each(['decider.ts accounts list', 'calibrate.ts examples/support-tickets.jsonl'])(
  '%s does so by the IPv6 address, too',
  async command => {
    const { asked, env } = await startProxy()
    // Nothing answers there. Of some ports, such as 9, `fetch` would not even ask.
    await run(command, { ...env, DECIDER_URL: 'http://[::1]:2' })
    expect(asked).toEqual([])
  },
)
