import { describe, expect, it } from 'vitest'
import { developmentKeyRoutes } from './development-key.ts'

const ask = async (
  url: string,
  key?: string,
  headers: Record<string, string> = { origin: new URL(url).origin },
): Promise<{ status: number; text: string }> => {
  const env = key === undefined ? {} : { DEV_PLAYGROUND_KEY: key }
  const response = await developmentKeyRoutes.request(url, { method: 'POST', headers }, env)
  return { status: response.status, text: await response.text() }
}

describe('POST /dev/playground-key', () => {
  it.each(['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787'])(
    'hands the key out on %s',
    async origin => {
      expect(await ask(`${origin}/dev/playground-key`, 'sk_decider_x')).toEqual({
        status: 200,
        text: '{"key":"sk_decider_x"}',
      })
    },
  )

  it.each([
    ['another page on this address', { origin: 'http://decider.example:8787' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['a caller that sends no origin', {}],
  ])('withholds the key from %s', async (_, headers: Record<string, string>) => {
    const { status, text } = await ask('http://127.0.0.1:8787/dev/playground-key', 'sk_decider_x', headers)
    expect(status).not.toBe(200)
    expect(text).not.toContain('sk_decider_')
  })

  it.each([
    ['under any other name', 'http://decider.example', 'sk_decider_x'],
    ['under a name that only looks like this machine', 'http://localhost.example', 'sk_decider_x'],
    ['on a network address', 'http://192.168.0.7:8787', 'sk_decider_x'],
    ['if no key is set', 'http://127.0.0.1:8787', undefined],
    ['if the key is empty', 'http://127.0.0.1:8787', ''],
  ])('withholds the key %s', async (_, origin, key) => {
    const { status, text } = await ask(`${origin}/dev/playground-key`, key)
    expect(status).not.toBe(200)
    expect(text).not.toContain('sk_decider_')
  })

  it('withholds the key on a network address even from what calls itself a page on this machine', async () => {
    const headers = { origin: 'http://localhost:8787' }
    const { text } = await ask('http://192.168.0.7:8787/dev/playground-key', 'sk_decider_x', headers)
    expect(text).not.toContain('sk_decider_')
  })
})
