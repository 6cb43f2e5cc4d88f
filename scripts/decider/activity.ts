import type { Answer } from './client.ts'
import { ask, type Command, paged, pathArg, queryOf, text } from './command.ts'
import { listOf, type Row } from './output.ts'

const requestRow = (row: Answer): Row => ({
  at: row.at,
  request: row.request_id,
  key: row.key_id,
  path: row.path,
  status: row.status,
  error: row.error_code,
  ms: row.latency_ms,
  tokens: row.input_tokens,
  cached: row.cached_tokens,
  questions: row.question_count,
  cost: `$${row.cost_usd}`,
})

export const activityCommands: readonly Command[] = [
  {
    name: 'activity',
    takes: ['account'],
    options: {
      ...paged,
      from: { value: 'time', says: 'at or after this time' },
      until: { value: 'time', says: 'before this time' },
      request: { value: 'request id', says: 'the one with this id' },
      key: { value: 'key id', says: 'with this key' },
      path: { value: 'path', says: 'on this route, such as /v1/decisions' },
      status: { value: 'status', says: 'with this status, or a class such as 4xx' },
      error: { value: 'code', says: 'with this error code' },
    },
    says: 'List the requests of the last 30 days, newest first.',
    run: async call => {
      const option = (name: string) => text(call, name)
      const query = queryOf({
        limit: option('limit'),
        cursor: option('cursor'),
        from: option('from'),
        until: option('until'),
        request_id: option('request'),
        key_id: option('key'),
        path: option('path'),
        status: option('status'),
        error_code: option('error'),
      })
      const answer = await ask(call, 'GET', `/accounts/${pathArg(call, 0)}/activity${query}`)
      return { output: listOf(answer, requestRow, 'No matching requests in the last 30 days.') }
    },
  },
  {
    name: 'usage',
    takes: ['account'],
    options: {},
    says: 'Show daily totals for the last 30 days.',
    run: async call => {
      const answer = await ask(call, 'GET', `/accounts/${pathArg(call, 0)}/usage`)
      const rows = answer.data
        .filter((day: Answer) => day.requests > 0)
        .map(
          (day: Answer): Row => ({
            day: day.day,
            requests: day.requests,
            tokens: day.input_tokens,
            cached: day.cached_tokens,
            cost: `$${day.cost_usd}`,
            'p50 ms': day.latency_ms?.p50,
            'p95 ms': day.latency_ms?.p95,
            'p99 ms': day.latency_ms?.p99,
            errors: Object.entries(day.errors)
              .map(([code, times]) => `${code} ${times}`)
              .join(', '),
          }),
        )
      return { output: { kind: 'table', data: answer, rows, empty: 'No requests in the last 30 days.' } }
    },
  },
]
