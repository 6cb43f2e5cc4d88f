import { describe, expect, inject, it } from 'vitest'

const { url, keys } = inject('service')

const post = (path: string, bytes: number) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.standard}` },
    body: ' '.repeat(bytes),
  })

describe('a body over 4,000,000 bytes', () => {
  // The sender is still sending when the answer is ready: it must hear of it all the same, every time.
  it.each([
    ['/v1/decisions', 4_000_001],
    ['/v1/decisions', 20_000_000],
    ['/webhooks/secret-scanning', 4_000_000],
  ])('at %s is answered 413 to whoever sends all %i of them', async (path, bytes) => {
    for (let time = 0; time < 4; time++) {
      const response = await post(path, bytes)
      expect(response.status).toBe(413)
      expect(response.headers.get('decider-request-id')).toMatch(/^req_/)
      expect(await response.json()).toMatchObject({ error: { code: 'request_too_large', param: 'body' } })
    }
  })
})
