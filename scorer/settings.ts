// All settings, read from the environment and checked once at the start. An error names the variable and its rule,
// never the value, which may be a secret.
import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import description from '../package.json' with { type: 'json' }
import type { Provider } from './backend/steps.ts'
import { NAMED_KEYS, readNamedKeys } from './protocol.ts'
import type { Keys } from './router/signature.ts'
import { StartError } from './start-error.ts'

export type Settings = {
  host: string
  port: number
  keys: Keys
  modelsFolder: string
  /** Alias to snapshot id. */
  aliases: Readonly<Record<string, string>>
  provider: Provider
  workers: number
  /** Threads of a worker. */
  threads: number
  cacheBytes: number
  questionBytes: number
  questionLifetimeMs: number
  /** The most memory the whole process may occupy. */
  memoryBytes: number
  batchTokens: number
  queueTokens: number
  drainMs: number
  /** Of this program. */
  version: string
}

const NAMES = [
  'SCORER_HOST',
  'SCORER_PORT',
  'SCORER_SECRET',
  'SCORER_MODELS',
  'SCORER_ALIASES',
  'SCORER_PROVIDER',
  'SCORER_WORKERS',
  'SCORER_THREADS',
  'SCORER_CACHE_BYTES',
  'SCORER_QUESTION_BYTES',
  'SCORER_QUESTION_LIFETIME_MS',
  'SCORER_MEMORY_BYTES',
  'SCORER_BATCH_TOKENS',
  'SCORER_QUEUE_TOKENS',
  'SCORER_DRAIN_MS',
  'SCORER_COMMIT',
] as const

type Name = (typeof NAMES)[number]
type Environment = Readonly<Partial<Record<string, string>>>
/** Only what is listed can be read, so what is not listed has no effect. */
type Listed = Readonly<Partial<Record<Name, string>>>

/** What looks like a setting and is none: a slip would otherwise leave the default in force without a word. */
export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env).filter(name => name.startsWith('SCORER_') && !NAMES.some(known => known === name))

const GIB = 1024 ** 3
/** The lifetime of encoded states, and the most for encoded questions. */
export const CACHE_LIFETIME_MS = 300_000
/** As many as the model has heads: more would split the product of one head, which changes its bits. */
const MOST_THREADS = 12
/** Each worker holds another copy of the model in memory. */
const MOST_USUAL_WORKERS = 2
/** Far longer than any caller, or whatever stops the process, waits. A timer past 2^31 ms would fire at once. */
const MOST_DRAIN_MS = 600_000
const PROVIDERS: readonly Provider[] = ['cpu', 'cuda', 'webgpu']

/** The process's share of the machine. `memoryLimit` is what a container may occupy: above it the process is killed. */
type Share = { cores: number; memoryLimit: number }

export const readSettings = (environment: Environment, { cores, memoryLimit }: Share): Settings => {
  const env = withoutEmpty(environment)
  const provider = readProvider(env.SCORER_PROVIDER)
  // States and questions are encoded side by side: threads that work apart do more than threads that work together.
  const usualWorkers = provider === 'cpu' ? Math.min(cores, MOST_USUAL_WORKERS) : 1
  const workers = integer(env, 'SCORER_WORKERS', usualWorkers, { min: 1, max: 256 })
  return {
    host: env.SCORER_HOST ?? '127.0.0.1',
    port: integer(env, 'SCORER_PORT', 8788, { min: 0, max: 65_535 }),
    keys: readKeys(env.SCORER_SECRET),
    modelsFolder: env.SCORER_MODELS ?? join(import.meta.dirname, 'models'),
    aliases: readAliases(env.SCORER_ALIASES),
    provider,
    workers,
    threads: integer(env, 'SCORER_THREADS', usualThreads(cores, workers), { min: 1, max: MOST_THREADS }),
    cacheBytes: integer(env, 'SCORER_CACHE_BYTES', GIB / 2, { min: 0 }),
    questionBytes: integer(env, 'SCORER_QUESTION_BYTES', GIB / 16, { min: 0 }),
    questionLifetimeMs: integer(env, 'SCORER_QUESTION_LIFETIME_MS', 0, { min: 0, max: CACHE_LIFETIME_MS }),
    memoryBytes: integer(env, 'SCORER_MEMORY_BYTES', Math.min(3 * GIB, memoryLimit), {
      min: GIB / 4,
      max: memoryLimit,
      maxIs: ', the memory limit of the container or unit',
    }),
    batchTokens: integer(env, 'SCORER_BATCH_TOKENS', 4_096, { min: 256 }),
    queueTokens: integer(env, 'SCORER_QUEUE_TOKENS', 262_144, { min: 256 }),
    drainMs: integer(env, 'SCORER_DRAIN_MS', 12_000, { min: 0, max: MOST_DRAIN_MS }),
    version: readVersion(env.SCORER_COMMIT),
  }
}

/** A variable set to the empty string counts as not set. */
const withoutEmpty = (env: Environment): Listed =>
  Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''))

const usualThreads = (cores: number, workers: number): number =>
  Math.max(1, Math.min(MOST_THREADS, Math.floor(cores / workers)))

const integer = (
  env: Listed,
  name: Name,
  fallback: number,
  { min, max = Number.MAX_SAFE_INTEGER, maxIs = '' }: { min: number; max?: number; maxIs?: string },
): number => {
  const text = env[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new StartError(
    `${name} must be an integer from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}${maxIs}`}`,
  )
}

const readKeys = (text: string | undefined): Keys => {
  if (text === undefined) throw new StartError(`SCORER_SECRET is missing: it must be ${NAMED_KEYS}`)
  const keys = readNamedKeys(text)
  if (keys === null) throw new StartError(`SCORER_SECRET must be ${NAMED_KEYS}`)
  return new Map(keys.map(({ id, secret }) => [id, createSecretKey(secret)]))
}

const readAliases = (text: string | undefined): Record<string, string> => {
  if (text === undefined) return {}
  const isAliases = (value: unknown): value is Record<string, string> =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(id => typeof id === 'string')
  try {
    const value: unknown = JSON.parse(text)
    if (isAliases(value)) return value
  } catch {
    // Reported below.
  }
  throw new StartError('SCORER_ALIASES must be a JSON object from alias to snapshot id')
}

const readVersion = (commit: string | undefined): string => {
  if (commit === undefined) return description.version
  if (!/^[\w.-]{1,64}$/.test(commit)) throw new StartError('SCORER_COMMIT must be the id of a commit')
  return `${description.version}+${commit}`
}

const readProvider = (text = 'cpu'): Provider => {
  const provider = PROVIDERS.find(name => name === text)
  if (provider === undefined) throw new StartError(`SCORER_PROVIDER must be one of ${PROVIDERS.join(', ')}`)
  return provider
}
