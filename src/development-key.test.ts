import { describe, expect, it } from 'vitest'
import { developmentKeyRoutes } from './development-key.ts'

const KEY = 'sk_decider_x'

type Asking = { origin?: string; headers?: Record<string, string>; key?: string | undefined }

/** What a page on this machine is told, unless it is said otherwise. */
const ask = async (asking: Asking) => {
  const { origin, headers, key } = { origin: 'http://127.0.0.1:8787', key: KEY, ...asking }
  const env = key === undefined ? {} : { DEV_PLAYGROUND_KEY: key }
  const init = { method: 'POST', headers: headers ?? { origin } }
  const response = await developmentKeyRoutes.request(`${origin}/dev/playground-key`, init, env)
  return { status: response.status, text: await response.text() }
}

describe('POST /dev/playground-key', () => {
  it.each(['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787'])(
    'hands the key out on %s',
    async origin => {
      expect(await ask({ origin })).toEqual({ status: 200, text: `{"key":"${KEY}"}` })
    },
  )

  it.each<[string, Asking]>([
    ['from another page on this address', { headers: { origin: 'http://decider.example:8787' } }],
    ['from a page that hides its origin', { headers: { origin: 'null' } }],
    ['from a caller that sends no origin', { headers: {} }],
    ['under any other name', { origin: 'http://decider.example' }],
    ['under a name that only looks like this machine', { origin: 'http://localhost.example' }],
    ['on a network address', { origin: 'http://192.168.0.7:8787' }],
    [
      'on a network address even from what calls itself a page on this machine',
      { origin: 'http://192.168.0.7:8787', headers: { origin: 'http://localhost:8787' } },
    ],
    ['if no key is set', { key: undefined }],
    ['if the key is empty', { key: '' }],
  ])('withholds the key %s', async (_, asking) => {
    const { status, text } = await ask(asking)
    expect(status).not.toBe(200)
    expect(text).not.toContain('sk_decider_')
  })
})
