import { describe, expect, it } from 'vitest'
import { decider, serviceAnswering } from './testing.ts'

describe('a list', () => {
  const answer = {
    data: [
      { id: 'acct_1', name: 'Ada\u001b[2J', created_at: '2026-11-21T00:00:00.000Z', closed_at: null },
      {
        id: 'acct_22',
        name: 'Grace',
        created_at: '2026-11-22T00:00:00.000Z',
        closed_at: '2026-11-23T00:00:00.000Z',
      },
    ],
  }

  it('is a table for a person, in which no name can steer the terminal', async () => {
    const { env, asked } = await serviceAnswering(200, answer)
    const { code, out } = await decider(['accounts', 'list', '--limit', '2'], { env })
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'account  name     created                   closed',
        '───────  ───────  ────────────────────────  ────────────────────────',
        'acct_1   Ada\uFFFD[2J  2026-11-21T00:00:00.000Z  –',
        'acct_22  Grace    2026-11-22T00:00:00.000Z  2026-11-23T00:00:00.000Z',
        '',
      ].join('\n'),
    )
    expect(asked).toEqual([
      { line: 'GET /admin/v1/accounts?limit=2', authorization: 'Bearer s3cret', body: '' },
    ])
  })

  it.each(['می\u200Cخواهم', 'ශ්\u200Dරී'])('spells the name %s as it was given', async name => {
    const { env } = await serviceAnswering(200, { data: [{ ...answer.data[1], name }] })
    expect((await decider(['accounts', 'list'], { env })).out).toContain(` ${name} `)
  })

  it('of the days of an account is a table of those with requests, even if it is one', async () => {
    const day = { day: '2026-11-21', requests: 1, input_tokens: 23, cached_tokens: 0, cost_usd: '0.0000023' }
    const more = { latency_ms: null, errors: { rate_limited: 2 } }
    const data = [
      { ...day, ...more },
      { ...day, ...more, day: '2026-11-20', requests: 0 },
    ]
    const { env } = await serviceAnswering(200, { data })
    const { out } = await decider(['usage', 'acct_1'], { env })
    const lines = out
      .trimEnd()
      .split('\n')
      .map(line => line.trim().split(/ {2,}/))
    expect(lines).toEqual([
      ['day', 'requests', 'tokens', 'cached', 'cost', 'p50 ms', 'p95 ms', 'p99 ms', 'errors'],
      lines[1],
      ['2026-11-21', '1', '23', '0', '$0.0000023', '–', '–', '–', 'rate_limited 2'],
    ])
  })

  it('has numbers on the right, and a dash where there is nothing', async () => {
    const figures = { cached_tokens: 0, latency_ms: null, errors: {} }
    const data = [
      { day: '2026-11-21', requests: 12_000, input_tokens: 23, cost_usd: '0.0000023', ...figures },
      {
        ...{ day: '2026-11-20', requests: 1, input_tokens: 4_567, cost_usd: '0.0004567', ...figures },
        ...{ latency_ms: { p50: 5, p95: 6, p99: 7 }, errors: { rate_limited: 2 } },
      },
    ]
    const { env } = await serviceAnswering(200, { data })
    const { out } = await decider(['usage', 'acct_1'], { env })
    expect(out.split('\n')).toEqual([
      'day         requests  tokens  cached  cost        p50 ms  p95 ms  p99 ms  errors',
      '──────────  ────────  ──────  ──────  ──────────  ──────  ──────  ──────  ──────────────',
      '2026-11-21     12000      23       0  $0.0000023  –       –       –       –',
      '2026-11-20         1    4567       0  $0.0004567  5       6       7       rate_limited 2',
      '',
    ])
  })

  it('is tab-separated lines for a pipe', async () => {
    const { env } = await serviceAnswering(200, answer)
    const { out } = await decider(['accounts', 'list'], { env, isTerminal: false })
    expect(out.split('\n')[1]).toBe('acct_22\tGrace\t2026-11-22T00:00:00.000Z\t2026-11-23T00:00:00.000Z')
  })

  it('that is empty is a sentence for a person, and nothing for a pipe', async () => {
    const { env } = await serviceAnswering(200, { data: [] })
    const args = ['keys', 'list', 'acct_1']
    expect((await decider(args, { env })).out).toMatch(/^.+\.\n$/)
    expect((await decider(args, { env, isTerminal: false })).out).toBe('')
  })

  it.each(['accounts list', 'accounts credits acct_1', 'accounts charges acct_1', 'activity acct_1'])(
    'that is not the last page says how to go on: %s',
    async words => {
      const last = await serviceAnswering(200, { data: [], next_cursor: null })
      expect((await decider(words.split(' '), last)).err).toBe('')
      const first = await serviceAnswering(200, { data: [], next_cursor: 'c1' })
      expect((await decider(words.split(' '), first)).err).toBe(
        'There are more. To continue, add --cursor c1\n',
      )
      expect((await decider([...words.split(' '), '--json'], first)).err).toBe('')
    },
  )

  it('is the answer itself with --json', async () => {
    const { env } = await serviceAnswering(200, answer)
    const { out } = await decider(['accounts', 'list', '--json'], { env })
    expect(JSON.parse(out)).toEqual(answer)
  })

  it('is the answer itself with --json, in which no name can steer the terminal either', async () => {
    const names = ['\u009b2J', '\u007f', '\u202Eadmin', '\u{E0001}', 'می\u200Cخواهم', 'Zoë 🙂']
    const named = { data: names.map(name => ({ ...answer.data[1], name })) }
    const { env } = await serviceAnswering(200, named)
    const { out } = await decider(['accounts', 'list', '--json'], { env })
    expect(JSON.parse(out)).toEqual(named)
    expect(out.match(/"name": .*/g)).toEqual([
      String.raw`"name": "\u009b2J",`,
      String.raw`"name": "\u007f",`,
      String.raw`"name": "\u202eadmin",`,
      String.raw`"name": "\udb40\udc01",`,
      '"name": "می\u200Cخواهم",',
      '"name": "Zoë 🙂",',
    ])
  })

  it('that is refused is told with --json in the same way', async () => {
    const refusal = { error: { code: 'invalid_schema', message: '\u009b2J is not a known field.' } }
    const { env } = await serviceAnswering(422, refusal)
    const { err } = await decider(['accounts', 'list', '--json'], { env })
    expect(JSON.parse(err)).toEqual(refusal)
    expect(err).toContain(String.raw`"\u009b2J is`)
  })
})

it('a record is one field a line for a person, and one tab-separated line for a pipe', async () => {
  const key = { id: 'key_1', kind: 'standard', name: '', hint: 'sk_decider_x', limits: {} }
  const { env } = await serviceAnswering(200, key)
  const args = ['keys', 'revoke', 'acct_1', 'key_1']
  expect((await decider(args, { env })).out.split('\n').slice(0, 5)).toEqual([
    'key         key_1',
    'kind        standard',
    'name        –',
    'begins      sk_decider_x',
    'requests/s  –',
  ])
  const { out } = await decider(args, { env, isTerminal: false })
  expect(out).toBe('key_1\tstandard\t–\tsk_decider_x\t–\t–\t–\t–\n')
})

it('a value cannot steer the terminal, and neither can what is said beside it', async () => {
  const made = await serviceAnswering(200, { id: 'key_1\u001b[2J', key: 'sk\u001b[2J' })
  const { out, err } = await decider(['keys', 'create', 'acct_1'], made)
  expect(out).toBe('sk\uFFFD[2J\n')
  expect(err).toMatch(/^Key id: key_1\uFFFD\[2J\./)
})
