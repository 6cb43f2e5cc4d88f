import { expect, it } from 'vitest'
import { replyOf } from './client.ts'
import { heard, refusedKey } from './refused-key.ts'

const reply = (status: number, code: string, roundTripMs = 0) =>
  replyOf(status, () => null, `{"error":{"code":"${code}"}}`, roundTripMs)

it('a key is refused until it is answered, whatever is said of another key', () => {
  heard(reply(429, 'rate_limited'), 'mine')
  expect(refusedKey.peek()).toBe(null)
  heard(reply(401, 'invalid_api_key'), 'mine')
  heard(reply(200, ''), 'other')
  expect(refusedKey.peek()).toBe('mine')
  heard(reply(200, ''), 'mine')
  expect(refusedKey.peek()).toBe(null)
})

it('a key is refused also after an answer to what was under way when it was revoked', () => {
  heard(reply(401, 'invalid_api_key', 5), 'mine')
  heard(reply(200, '', 10_000), 'mine')
  expect(refusedKey.peek()).toBe('mine')
})
