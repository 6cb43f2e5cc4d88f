import { describe, expect, it } from 'vitest'
import { CACHE_LIFETIME_MS, readSettings, unknownSettings } from './settings.ts'
import { StartError } from './start-error.ts'

const key = (fill: number, bytes = 32) => Buffer.alloc(bytes, fill).toString('base64url')
const MACHINE = { cores: 8, memoryLimit: Number.MAX_SAFE_INTEGER }
const read = (env: Record<string, string>, share = MACHINE) =>
  readSettings({ SCORER_SECRET: `k:${key(1)}`, ...env }, share)

describe('the settings', () => {
  it('have defaults for everything but the secret', () => {
    expect(read({})).toMatchObject({
      host: '127.0.0.1',
      port: 8788,
      provider: 'cpu',
      workers: 2,
      threads: 4,
      aliases: {},
    })
    expect(() => readSettings({}, MACHINE)).toThrow(StartError)
  })

  it('are taken as they are set', () => {
    const aliases = { stable: 'a', newest: 'b' }
    const set = { SCORER_HOST: '::', SCORER_MODELS: '/models', SCORER_ALIASES: JSON.stringify(aliases) }
    expect(read(set)).toMatchObject({ host: '::', modelsFolder: '/models', aliases })
  })

  it('have only one worker on a GPU unless they say otherwise: each holds another copy of the model', () => {
    expect(read({ SCORER_PROVIDER: 'cuda' })).toMatchObject({ provider: 'cuda', workers: 1, threads: 8 })
  })

  it('may keep nothing, wait for nothing and listen on any port', () => {
    const names = ['PORT', 'CACHE_BYTES', 'QUESTION_BYTES', 'QUESTION_LIFETIME_MS', 'DRAIN_MS']
    expect(read(Object.fromEntries(names.map(name => [`SCORER_${name}`, '0'])))).toMatchObject({
      port: 0,
      cacheBytes: 0,
      questionBytes: 0,
      questionLifetimeMs: 0,
      drainMs: 0,
    })
  })

  it('treat an empty variable as unset: an empty host would mean every address', () => {
    const names = ['HOST', 'PORT', 'MODELS', 'PROVIDER', 'ALIASES'].map(name => `SCORER_${name}`)
    expect(read(Object.fromEntries(names.map(name => [name, ''])))).toEqual(read({}))
    expect(() => read({ SCORER_SECRET: '' })).toThrow('SCORER_SECRET is missing')
  })

  it('include no other name that begins as theirs do', () => {
    const env = { SCORER_THREADS: '2', SCORER_THREAD: '2', scorer_threads: '2', PATH: '/bin' }
    expect(unknownSettings(env)).toEqual(['SCORER_THREAD'])
  })

  it('share the cores among the workers', () => {
    expect(read({ SCORER_WORKERS: '3' })).toMatchObject({ workers: 3, threads: 2 })
    expect(read({ SCORER_WORKERS: '16' })).toMatchObject({ workers: 16, threads: 1 })
  })

  it('stay within the memory of a container: above that, the process would be killed in the middle of requests', () => {
    const container = { ...MACHINE, memoryLimit: 2 * 1024 ** 3 }
    expect([read({}).memoryBytes, read({}, container).memoryBytes]).toEqual([3 * 1024 ** 3, 2 * 1024 ** 3])
    expect(() => read({ SCORER_MEMORY_BYTES: String(3 * 1024 ** 3) }, container)).toThrow(
      'SCORER_MEMORY_BYTES must be an integer from 268435456 to 2147483648, the memory limit of the container or unit',
    )
  })

  it('keep nothing for longer than 300 seconds, the lifetime of a state in the cache', () => {
    expect(CACHE_LIFETIME_MS).toBe(300_000)
    expect(read({ SCORER_QUESTION_LIFETIME_MS: '300000' }).questionLifetimeMs).toBe(CACHE_LIFETIME_MS)
    expect(() => read({ SCORER_QUESTION_LIFETIME_MS: '300001' })).toThrow(
      'SCORER_QUESTION_LIFETIME_MS must be an integer from 0 to 300000',
    )
  })

  it('limit a drain to ten minutes: a timer set past its maximum does not wait at all', () => {
    expect(read({ SCORER_DRAIN_MS: '600000' }).drainMs).toBe(600_000)
    expect(() => read({ SCORER_DRAIN_MS: '3000000000' })).toThrow(
      'SCORER_DRAIN_MS must be an integer from 0 to 600000',
    )
  })

  it('accept several keys', () => {
    const { keys } = read({ SCORER_SECRET: `new:${key(1)}, old:${key(2)}` })
    expect([...keys.keys()]).toEqual(['new', 'old'])
    expect(keys.get('old')?.export()).toEqual(Buffer.alloc(32, 2))
  })

  it.each<[string, Record<string, string>]>([
    ['SCORER_PORT', { SCORER_PORT: '65536' }],
    ['SCORER_PORT', { SCORER_PORT: '8788x' }],
    ['SCORER_WORKERS', { SCORER_WORKERS: '0' }],
    ['SCORER_MEMORY_BYTES', { SCORER_MEMORY_BYTES: '1e9' }],
    ['SCORER_DRAIN_MS', { SCORER_DRAIN_MS: '600001' }],
    ['SCORER_PROVIDER', { SCORER_PROVIDER: 'tpu' }],
    ['SCORER_COMMIT', { SCORER_COMMIT: 'not a commit' }],
    ['SCORER_ALIASES', { SCORER_ALIASES: '{"a":1}' }],
    ['SCORER_ALIASES', { SCORER_ALIASES: '{"a":"b","c":1}' }],
    ['SCORER_ALIASES', { SCORER_ALIASES: '[]' }],
    ['SCORER_ALIASES', { SCORER_ALIASES: '"stable"' }],
    ['SCORER_ALIASES', { SCORER_ALIASES: 'a' }],
    ['SCORER_SECRET', { SCORER_SECRET: 'hunter2hunter2' }],
    ['SCORER_SECRET', { SCORER_SECRET: `k:${key(1, 16)}` }],
    ['SCORER_SECRET', { SCORER_SECRET: `k:${key(1)},k:${key(2)}` }],
    ['SCORER_SECRET', { SCORER_SECRET: `k:${key(1)}:more` }],
    // Node would skip the last character.
    ['SCORER_SECRET', { SCORER_SECRET: `k:${key(1)}!` }],
  ])('refuse an invalid %s by name, without showing its value', (name, env) => {
    const [value = ''] = Object.values(env)
    const reading = () => read(env)
    expect(reading).toThrow(StartError)
    expect(reading).toThrow(new RegExp(`^${name} `))
    if (value.length > 3) expect(reading).not.toThrow(value)
  })
})
