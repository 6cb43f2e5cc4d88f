import { describe, expect, it } from 'vitest'
import { QuestionCache } from './question-cache.ts'

const LIFETIME_MS = 300_000
const rows = (value: number) => Promise.resolve(Float32Array.of(value))

const setup = ({ budgetBytes = 100, lifetimeMs = LIFETIME_MS } = {}) => {
  let now = 0
  const events: string[] = []
  const cache = new QuestionCache({
    budgetBytes,
    lifetimeMs,
    now: () => now,
    onEvent: event => events.push(event),
  })
  return {
    cache,
    events,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('the cache of encoded questions', () => {
  it('has a question from the moment its encoding begins', async () => {
    const { cache, events } = setup()
    const { promise, resolve } = Promise.withResolvers<Float32Array>()
    const mine = cache.open().of('a')
    expect(mine.get('q')).toBeUndefined()
    mine.keep('q', 10, promise)
    const found = mine.get('q')
    resolve(Float32Array.of(7))
    expect(await found).toEqual(Float32Array.of(7))
    expect(events).toEqual(['miss', 'hit'])
  })

  it('forgets a question at the end of its lifetime, whether anyone asks for it or not', () => {
    const { cache, pass } = setup()
    cache.open().of('a').keep('q', 10, rows(1))
    pass(LIFETIME_MS - 1)
    expect(cache.open().of('a').get('q')).toBeDefined()
    pass(1)
    expect(cache.open().of('a').get('q')).toBeUndefined()
    expect(cache.bytes).toBe(10)
    cache.sweep()
    expect(cache.bytes).toBe(0)
  })

  it('with a lifetime of 0, forgets a question as soon as no request in progress asks it', () => {
    const { cache } = setup({ lifetimeMs: 0 })
    const [first, second] = [cache.open(), cache.open()]
    for (const key of ['mine', 'ours']) {
      expect(first.of('a').get(key)).toBeUndefined()
      first.of('a').keep(key, 10, rows(1))
    }
    expect(first.of('a').get('mine')).toBeDefined()
    expect(second.of('a').get('ours')).toBeDefined()
    first.close()
    expect(cache.bytes).toBe(10)
    const third = cache.open()
    expect(third.of('a').get('ours')).toBeDefined()
    second.close()
    second.close()
    expect(cache.bytes).toBe(10)
    third.close()
    expect(cache.bytes).toBe(0)
  })

  it('keeps nothing for a request that has been answered but is still working', () => {
    const { cache } = setup()
    const asking = cache.open()
    const mine = asking.of('a')
    asking.close()
    mine.keep('q', 10, rows(1))
    expect([mine.get('q'), cache.bytes]).toEqual([undefined, 0])
  })

  it('keeps nothing of other requests for one that has been answered but is still working', () => {
    const { cache } = setup({ lifetimeMs: 0 })
    const [over, other] = [cache.open(), cache.open()]
    over.close()
    expect(other.of('a').get('q')).toBeUndefined()
    other.of('a').keep('q', 10, rows(1))
    expect(over.of('a').get('q')).toBeUndefined()
    other.close()
    expect(cache.bytes).toBe(0)
  })

  it('clears one tenant or all of them', () => {
    const { cache } = setup()
    cache.open().of('a').keep('qa', 10, rows(1))
    cache.open().of('b').keep('qb', 10, rows(2))
    cache.clear('a')
    expect([cache.open().of('a').get('qa'), cache.bytes]).toEqual([undefined, 10])
    cache.clear(null)
    expect(cache.bytes).toBe(0)
  })

  it('stays within its budget by dropping the least recently used first', () => {
    const { cache } = setup({ budgetBytes: 20 })
    const mine = cache.open().of('a')
    mine.keep('x', 10, rows(1))
    mine.keep('y', 10, rows(2))
    expect(mine.get('x')).toBeDefined()
    mine.keep('z', 10, rows(3))
    mine.keep('huge', 21, rows(4))
    expect(['x', 'y', 'z', 'huge'].map(key => mine.get(key) !== undefined)).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(cache.bytes).toBe(20)
  })

  it('drops an encoding that failed, but not a later one of the same question', async () => {
    const { cache } = setup()
    const mine = cache.open().of('a')
    const failing = Promise.withResolvers<Float32Array>()
    mine.keep('q', 10, failing.promise)
    const again = rows(2)
    mine.keep('q', 10, again)
    failing.reject(new Error('no'))
    await Promise.resolve()
    expect(mine.get('q')).toBe(again)
    const other = Promise.reject<Float32Array>(new Error('no'))
    mine.keep('r', 10, other)
    await expect(other).rejects.toThrow('no')
    expect(mine.get('r')).toBeUndefined()
  })
})
