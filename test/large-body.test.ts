import { describe, expect, inject, it } from 'vitest'

const { url, keys } = inject('service')

/** How a body is sent: with its length declared, or in chunks. */
const SENT = {
  declared: (text: string) => ({ body: text }),
  chunked: (text: string) => ({ body: new Blob([text]).stream(), duplex: 'half' as const }),
}

const post = (path: string, bytes: number, sent: keyof typeof SENT, headers: Record<string, string>) =>
  fetch(`${url}${path}`, { method: 'POST', headers, ...SENT[sent](' '.repeat(bytes)) })

const WITH_KEY = { authorization: `Bearer ${keys.standard}` }
const SIGNED = { 'github-public-key-identifier': 'k1', 'github-public-key-signature': 'none' }

describe('a large body', () => {
  // The sender is still sending when the answer is ready, and must receive it every time all the same.
  it.each([
    ['/v1/decisions', 4_000_001, 'declared', WITH_KEY, 413],
    ['/v1/decisions', 20_000_000, 'declared', WITH_KEY, 413],
    ['/v1/decisions', 20_000_000, 'chunked', WITH_KEY, 413],
    ['/webhooks/secret-scanning', 4_000_001, 'declared', SIGNED, 413],
    ['/webhooks/secret-scanning', 20_000_000, 'chunked', SIGNED, 413],
    ['/webhooks/secret-scanning', 20_000_000, 'declared', {}, 401],
    ['/webhooks/secret-scanning', 20_000_000, 'chunked', {}, 401],
  ] as const)(
    'at %s is refused to whoever sends all %i bytes of it, %s',
    async (path, bytes, sent, headers, status) => {
      for (let time = 0; time < 4; time++) {
        const response = await post(path, bytes, sent, headers)
        expect(response.status).toBe(status)
        expect(response.headers.get('decider-request-id')).toMatch(/^req_/)
        const error =
          status === 413 ? { code: 'request_too_large', param: 'body' } : { code: 'invalid_api_key' }
        expect(await response.json()).toMatchObject({ error })
      }
    },
  )
})
