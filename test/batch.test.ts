// Runs examples/batch.py as a stranger would run it.
import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { ROOT } from '../scripts/root.ts'
import { serverOf } from '../src/testing/server.ts'
import { hasProgram } from './program.ts'

it.runIf(hasProgram('python3'))(
  'the program in Python alone passes where Cloudflare refuses urllib',
  async () => {
    const url = await serverOf((request, response) => {
      // Its Browser Integrity Check, which is on unless somebody turns it off.
      if (/^Python-urllib\//.test(request.headers['user-agent'] ?? ''))
        return response.writeHead(403).end('error code: 1010')
      response.end('{"answers":{},"usage":{"cost_usd":0.5}}')
    })
    expect(await printed(url, '{"state":"a"}\n')).toEqual({ out: '{}\n', err: '1 answers, $0.500000\n' })
  },
)

const printed = (url: string, states: string) =>
  new Promise<{ out: string; err: string }>(resolve => {
    const env = { ...process.env, DECIDER_URL: url, DECIDER_API_KEY: 'sk_decider_test' }
    const program = execFile('python3', ['examples/batch.py'], { cwd: ROOT, env }, (_, out, err) =>
      resolve({ out, err }),
    )
    program.stdin?.end(states)
  })
