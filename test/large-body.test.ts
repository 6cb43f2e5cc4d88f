import { describe, expect, inject, it } from 'vitest'

const { url, keys } = inject('service')

/** How a body is sent: with its length declared, or in chunks. */
const SENT = {
  declared: (text: string) => ({ body: text }),
  chunked: (text: string) => ({ body: new Blob([text]).stream(), duplex: 'half' as const }),
}

const post = (path: string, bytes: number, sent: keyof typeof SENT) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.standard}` },
    ...SENT[sent](' '.repeat(bytes)),
  })

describe('a body over 4,000,000 bytes', () => {
  // The sender is still sending when the answer is ready, and must receive it every time all the same.
  it.each([
    ['/v1/decisions', 4_000_001, 'declared'],
    ['/v1/decisions', 20_000_000, 'declared'],
    ['/v1/decisions', 20_000_000, 'chunked'],
    ['/webhooks/secret-scanning', 4_000_000, 'declared'],
    ['/webhooks/secret-scanning', 20_000_000, 'chunked'],
  ] as const)('at %s is answered 413 to whoever sends all %i of them, %s', async (path, bytes, sent) => {
    for (let time = 0; time < 4; time++) {
      const response = await post(path, bytes, sent)
      expect(response.status).toBe(413)
      expect(response.headers.get('decider-request-id')).toMatch(/^req_/)
      expect(await response.json()).toMatchObject({ error: { code: 'request_too_large', param: 'body' } })
    }
  })
})
