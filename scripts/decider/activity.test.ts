import { describe, expect, it } from 'vitest'
import { decider, serviceAnswering } from './testing.ts'

describe('the requests of an account', () => {
  it('are those that all options ask for, under the names the service has for them', async () => {
    const { env, asked } = await serviceAnswering(200, { data: [], next_cursor: null })
    const asks = {
      limit: '2',
      cursor: 'c1',
      from: '2026-11-01',
      until: '2026-11-02',
      request: 'req_1',
      key: 'key_1',
      path: 'models',
      status: '4xx',
      error: 'rate_limited',
    }
    const options = Object.entries(asks).flatMap(([name, value]) => [`--${name}`, value])
    const { out } = await decider(['activity', 'acct_1', ...options], { env })
    expect(out).toBe('No matching requests in the last 30 days.\n')
    expect(asked[0]?.line).toBe(
      'GET /admin/v1/accounts/acct_1/activity?limit=2&cursor=c1&from=2026-11-01&until=2026-11-02' +
        '&request_id=req_1&key_id=key_1&path=models&status=4xx&error_code=rate_limited',
    )
  })

  it('are shown one a line', async () => {
    const row = {
      ...{ at: '2026-11-21T00:00:00.000Z', request_id: 'req_1', key_id: 'key_1', path: '/v1/decisions' },
      ...{ status: 402, error_code: 'insufficient_credits', latency_ms: 12, cost_usd: '0.0000023' },
      ...{ input_tokens: 23, cached_tokens: 5, question_count: 1 },
    }
    const { env } = await serviceAnswering(200, { data: [row], next_cursor: null })
    const { out } = await decider(['activity', 'acct_1'], { env, isTerminal: false })
    expect(out.trimEnd().split('\t')).toEqual([
      ...['2026-11-21T00:00:00.000Z', 'req_1', 'key_1', '/v1/decisions', '402', 'insufficient_credits'],
      ...['12', '23', '5', '1', '$0.0000023'],
    ])
  })
})

describe('the usage of an account', () => {
  it('has the latencies and errors of each day', async () => {
    const day = {
      ...{ day: '2026-11-21', requests: 9, input_tokens: 23, cached_tokens: 5, cost_usd: '0.0000023' },
      ...{ latency_ms: { p50: 10, p95: 20, p99: 30 }, errors: { rate_limited: 2, insufficient_credits: 1 } },
    }
    const { env, asked } = await serviceAnswering(200, { data: [day] })
    const { out } = await decider(['usage', 'acct_1'], { env, isTerminal: false })
    expect(asked[0]?.line).toBe('GET /admin/v1/accounts/acct_1/usage')
    expect(out).toBe('2026-11-21\t9\t23\t5\t$0.0000023\t10\t20\t30\trate_limited 2, insufficient_credits 1\n')
  })
})
