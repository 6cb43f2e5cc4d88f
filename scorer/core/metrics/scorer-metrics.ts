import { Registry } from './registry.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const TOKENS = [256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072]

export type ScorerMetrics = ReturnType<typeof createMetrics>

/** The service's metrics. `text()` is the page at /metrics. */
export const createMetrics = () => {
  const registry = new Registry()
  return {
    text: () => registry.text(),
    gauge: (name: string, help: string, read: () => number) => registry.gauge(`scorer_${name}`, help, read),
    requests: registry.counter('scorer_requests_total', 'Requests to score, by outcome.'),
    units: registry.counter('scorer_units_total', 'Units of requests, by outcome.'),
    states: registry.counter('scorer_cache_events_total', 'Prefix cache events, by kind.'),
    questions: registry.counter(
      'scorer_question_cache_events_total',
      'Question cache lookups, by hit or miss.',
    ),
    prepare: registry.histogram(
      'scorer_tokenise_seconds',
      'Time to read, check, render and tokenise a request, its wait for a turn included.',
      SECONDS,
    ),
    queueWait: registry.histogram('scorer_queue_wait_seconds', 'Time a unit waited for the engine.', SECONDS),
    run: registry.histogram(
      'scorer_run_seconds',
      'Time the engine took, by stage: state or questions.',
      SECONDS,
    ),
    batch: registry.histogram(
      'scorer_batch_tokens',
      'Padded tokens under way together, sampled as each unit begins.',
      TOKENS,
    ),
    request: registry.histogram(
      'scorer_request_seconds',
      'Time from the arrival of a whole request to its answer.',
      SECONDS,
    ),
  }
}

type Usage = { usedBytes: number; cachedBytes: number; cachedStates: number; questionBytes: number }
type Depth = { waiting: number; waitingTokens: number; running: number; runningTokens: number }

/** Gauges that are looked up at each scrape. */
export const watchGauges = (
  { gauge }: Pick<ScorerMetrics, 'gauge'>,
  { store, queue }: { store: () => Usage; queue: () => Depth },
): void => {
  gauge('state_bytes', 'Memory of encoded states: cached, in use and being encoded.', () => store().usedBytes)
  gauge('cache_bytes', 'Memory of cached states.', () => store().cachedBytes)
  gauge('cache_states', 'Cached states.', () => store().cachedStates)
  gauge('question_bytes', 'Memory of cached encoded questions.', () => store().questionBytes)
  gauge('queue_units', 'Units waiting for the engine.', () => queue().waiting)
  gauge('queue_tokens', 'Padded tokens waiting for the engine.', () => queue().waitingTokens)
  gauge('running_units', 'Units the engine is working on.', () => queue().running)
  gauge('running_tokens', 'Padded tokens the engine is working on.', () => queue().runningTokens)
  gauge('resident_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss())
}
