import { PROTOCOL, REFUSALS, type Refusal, type UnitAnswer } from '../../protocol.ts'
import { STORE_EVENTS } from '../cache/state-store.ts'
import { Registry } from './registry.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const TOKENS = [256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072]

/** The outcome of a request: `left` means that the caller did not wait. */
export type RequestOutcome = 'scored' | 'left' | Refusal['error']
const OUTCOMES: readonly RequestOutcome[] = [
  'scored',
  'left',
  ...(Object.keys(REFUSALS) as Refusal['error'][]),
]
const UNIT_KINDS: readonly UnitAnswer['kind'][] = [
  'scored',
  'state_too_long',
  'instructions_too_long',
  'unknown_snapshot',
  'within_limits',
]

export type ScorerMetrics = ReturnType<typeof createMetrics>

/** The service's metrics. `text()` is the page at /metrics. */
export const createMetrics = () => {
  const registry = new Registry()
  registry.gauge(
    'process_start_time_seconds',
    'When the process started, in seconds since 1970.',
    () => performance.timeOrigin / 1_000,
  )
  return {
    text: () => registry.text(),
    gauge: (name: string, help: string, read: () => number, labels?: Readonly<Record<string, string>>) =>
      registry.gauge(`scorer_${name}`, help, read, labels),
    requests: registry.counter(
      'scorer_requests_total',
      'Requests to score, by outcome.',
      'outcome',
      OUTCOMES,
    ),
    units: registry.counter('scorer_units_total', 'Units of requests, by outcome.', 'kind', UNIT_KINDS),
    states: registry.counter(
      'scorer_cache_events_total',
      'Prefix cache events, by kind.',
      'event',
      STORE_EVENTS,
    ),
    questions: registry.counter(
      'scorer_question_cache_events_total',
      'Question cache lookups, by hit or miss.',
      'event',
      ['hit', 'miss'],
    ),
    prepare: registry.histogram(
      'scorer_tokenise_seconds',
      'Time to read, check, render and tokenise a request, its wait for a turn included.',
      SECONDS,
    ),
    queueWait: registry.histogram(
      'scorer_queue_wait_seconds',
      'Time a unit waited for the engine, whether it began or was dropped.',
      SECONDS,
    ),
    run: registry.histogram(
      'scorer_run_seconds',
      'Time the engine took, by stage: state or questions.',
      SECONDS,
      [{ stage: 'state' }, { stage: 'questions' }],
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

/** What the process is, and whether it takes requests. */
export const watchService = (
  { gauge }: Pick<ScorerMetrics, 'gauge'>,
  { version, memoryBytes, ready }: { version: string; memoryBytes: number; ready: () => boolean },
): void => {
  gauge('resident_bytes', 'Resident memory of the process; NaN if it cannot be read.', residentBytes)
  gauge('build_info', 'Always 1. The labels are the versions of the scorer and of its protocol.', () => 1, {
    version,
    protocol: PROTOCOL,
  })
  gauge('ready', '1 if it takes requests, 0 while it drains.', () => Number(ready()))
  gauge('memory_limit_bytes', 'Ceiling of resident memory: SCORER_MEMORY_BYTES.', () => memoryBytes)
}

/** Reading it takes a file descriptor. When none is left, the rest of the page is needed all the more. */
const residentBytes = (): number => {
  try {
    return process.memoryUsage.rss()
  } catch {
    return Number.NaN
  }
}

/** What the core holds, and what it has to do. */
export const watchCore = (
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
}
