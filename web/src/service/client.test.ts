import { describe, expect, it } from 'vitest'
import { jsonObjectIn } from '../../../src/testing/json.ts'
import { replyOf } from './client.ts'

const reply = (status: number, text: string, headers: Record<string, string> = {}) =>
  replyOf(status, name => headers[name] ?? null, text, 5)

describe('a reply', () => {
  it('has its object and its text as sent if it is one of success', () => {
    expect(reply(200, '{"a":1.0}')).toMatchObject({
      kind: 'ok',
      body: jsonObjectIn('{"a":1.0}'),
      text: '{"a":1.0}',
    })
  })

  it.each([
    [
      422,
      '{"error":{"type":"t","code":"invalid_schema","message":"state is missing","param":"state"}}',
      { code: 'invalid_schema', message: 'state is missing', param: 'state' },
    ],
    [
      503,
      '{"error":{"code":"engine_timeout","message":"later"}}',
      { code: 'engine_timeout', message: 'later', param: null },
    ],
    [400, '{}', { code: 'http_400', message: 'The service answered with status 400.', param: null }],
    [502, '<html>', { code: 'http_502', message: 'The service answered with status 502.', param: null }],
    [304, '{}', { code: 'http_304', message: 'The service answered with status 304.', param: null }],
  ])(
    'of status %d is a refusal, in the words of the service where it has some: %s',
    (status, text, refusal) => {
      expect(reply(status, text)).toMatchObject({ kind: 'refused', refusal: { status, ...refusal } })
    },
  )

  it('has what its headers say, whatever it is, and nothing where they say nothing', () => {
    const headers = {
      'decider-request-id': 'req_1',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-remaining-tokens': '20',
      'retry-after': '2',
    }
    const said = {
      requestId: 'req_1',
      rates: { requests: 0, tokens: 20 },
      retryAfterSeconds: 2,
      roundTripMs: 5,
    }
    expect(reply(429, '{}', headers)).toMatchObject({ envelope: said })
    const nothing = { requestId: null, rates: null, retryAfterSeconds: null, roundTripMs: 5 }
    expect(reply(200, '{}')).toMatchObject({ envelope: nothing })
    expect(reply(200, '{}', { 'retry-after': '' })).toMatchObject({ envelope: nothing })
  })
})
