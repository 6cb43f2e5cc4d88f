// Runs examples/batch.py as a stranger would run it.
import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../scripts/root.ts'
import { serverOf } from '../src/testing/server.ts'
import { hasProgram } from './program.ts'

describe.runIf(hasProgram('python3'))('the program in Python alone', () => {
  it('passes where Cloudflare refuses urllib', async () => {
    const url = await serverOf((request, response) => {
      // Its Browser Integrity Check, which is on unless somebody turns it off.
      if (/^Python-urllib\//.test(request.headers['user-agent'] ?? ''))
        return response.writeHead(403).end('error code: 1010')
      response.end('{"answers":{},"usage":{"cost_usd":0.5}}')
    })
    const env = { DECIDER_URL: url, DECIDER_API_KEY: 'sk_decider_test' }
    expect(await printed(env, '{"state":"a"}\n')).toEqual({ out: '{}\n', err: '1 answers, $0.500000\n' })
  })

  it('keeps the key from wherever it is referred', async () => {
    const heard: (string | undefined)[] = []
    const elsewhere = await serverOf(({ headers }, response) => {
      heard.push(headers.authorization)
      response.writeHead(404).end('nothing')
    })
    const url = await serverOf(({ headers }, response) => {
      heard.push(headers.authorization)
      response.writeHead(302, { location: elsewhere }).end()
    })
    const env = { DECIDER_URL: url, DECIDER_API_KEY: 'sk_decider_test' }
    expect(await printed(env, '{"state":"a"}\n')).toEqual({ out: '', err: '404 nothing\n' })
    expect(heard).toEqual(['Bearer sk_decider_test', undefined])
  })

  it('says so if it was given no key', async () => {
    expect(await printed({ DECIDER_API_KEY: undefined }, '')).toEqual({
      out: '',
      err: 'Set DECIDER_API_KEY to an API key of the service.\n',
    })
  })
})

const printed = (env: NodeJS.ProcessEnv, states: string) =>
  new Promise<{ out: string; err: string }>(resolve => {
    const options = { cwd: ROOT, env: { ...process.env, ...env } }
    const program = execFile('python3', ['examples/batch.py'], options, (_, out, err) =>
      resolve({ out, err }),
    )
    // It may have ended before it reads.
    program.stdin?.on('error', () => {})
    program.stdin?.end(states)
  })
