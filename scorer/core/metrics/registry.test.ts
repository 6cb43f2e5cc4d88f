import { describe, expect, it } from 'vitest'
import { Registry } from './registry.ts'

describe('the metrics page', () => {
  it('is in the text format that Prometheus reads', () => {
    const registry = new Registry()
    const requests = registry.counter('requests_total', 'Requests.', 'outcome', ['scored', 'full', 'late'])
    for (let times = 0; times < 3; times++) requests.add('scored')
    requests.add('full')
    registry.gauge('bytes', 'Bytes.', () => 7)
    registry.gauge('info', 'Info.', () => 1, { version: '0' })
    const wait = registry.histogram('wait_seconds', 'Waits.', [0.1, 1], [{ stage: 'state' }])
    for (const seconds of [0.1, 0.5, 5]) wait.observe(seconds, { stage: 'state' })
    wait.observe(2, { stage: 'questions' })
    expect(registry.text()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{outcome="scored"} 3
requests_total{outcome="full"} 1
requests_total{outcome="late"} 0
# HELP bytes Bytes.
# TYPE bytes gauge
bytes 7
# HELP info Info.
# TYPE info gauge
info{version="0"} 1
# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{stage="state",le="0.1"} 1
wait_seconds_bucket{stage="state",le="1"} 2
wait_seconds_bucket{stage="state",le="+Inf"} 3
wait_seconds_sum{stage="state"} 5.6
wait_seconds_count{stage="state"} 3
wait_seconds_bucket{stage="questions",le="0.1"} 0
wait_seconds_bucket{stage="questions",le="1"} 0
wait_seconds_bucket{stage="questions",le="+Inf"} 1
wait_seconds_sum{stage="questions"} 2
wait_seconds_count{stage="questions"} 1
`)
  })

  it('shows a histogram before anything is observed: a burst right after a start must not go unseen', () => {
    const registry = new Registry()
    registry.histogram('tokens', 'Tokens.', [256])
    expect(registry.text()).toBe(`# HELP tokens Tokens.
# TYPE tokens histogram
tokens_bucket{le="256"} 0
tokens_bucket{le="+Inf"} 0
tokens_sum 0
tokens_count 0
`)
  })
})
