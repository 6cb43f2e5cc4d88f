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
    /** A request that asks these questions, all of one tenant. */
    open: (questions: string, tenant = 'a') => {
      const asking = cache.open()
      return { ...asking, ...asking.of(tenant, questions.split(' ')) }
    },
    events,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('the cache of encoded questions', () => {
  it('has a question from the moment its encoding begins', async () => {
    const { events, open } = setup()
    const { promise, resolve } = Promise.withResolvers<Float32Array>()
    const mine = open('q')
    expect(mine.get('q', 0)).toBeUndefined()
    mine.keep('q', 0, 10, promise)
    const found = mine.get('q', 0)
    resolve(Float32Array.of(7))
    expect(await found).toEqual(Float32Array.of(7))
    expect(events).toEqual(['miss', 'hit'])
  })

  it('forgets a question at the end of its lifetime, whether anyone asks for it or not', () => {
    const { cache, open, pass } = setup()
    open('q').keep('q', 0, 10, rows(1))
    pass(LIFETIME_MS - 1)
    expect(open('q').get('q', 0)).toBeDefined()
    pass(1)
    expect(open('q').get('q', 0)).toBeUndefined()
    expect(cache.bytes).toBe(10)
    cache.sweep()
    expect(cache.bytes).toBe(0)
  })

  it('with a lifetime of 0, forgets a question as soon as no request asks it, waiting or in progress', () => {
    const { cache, open } = setup({ lifetimeMs: 0 })
    const [first, second] = [open('mine ours'), open('ours')]
    for (const [question, piece] of [
      ['mine', 0],
      ['ours', 0],
      ['ours', 1],
    ] as const) {
      expect(first.get(question, piece)).toBeUndefined()
      first.keep(question, piece, 10, rows(1))
    }
    expect(cache.bytes).toBe(30)
    first.close()
    expect(cache.bytes).toBe(20)
    const third = open('ours')
    expect(third.get('ours', 1)).toBeDefined()
    second.close()
    second.close()
    expect(cache.bytes).toBe(20)
    third.close()
    expect(cache.bytes).toBe(0)
  })

  it('keeps nothing of a question for a request that does not ask it', () => {
    const { cache, open } = setup({ lifetimeMs: 0 })
    open('mine').keep('other', 0, 10, rows(1))
    expect(cache.bytes).toBe(0)
  })

  it('keeps nothing for a request that has been answered but is still working', () => {
    const { cache, open } = setup()
    const mine = open('q')
    mine.close()
    mine.keep('q', 0, 10, rows(1))
    expect([mine.get('q', 0), cache.bytes]).toEqual([undefined, 0])
  })

  it('keeps nothing of other requests for one that has been answered but is still working', () => {
    const { cache, open } = setup({ lifetimeMs: 0 })
    const [over, other] = [open('q'), open('q')]
    over.close()
    expect(other.get('q', 0)).toBeUndefined()
    other.keep('q', 0, 10, rows(1))
    expect(over.get('q', 0)).toBeUndefined()
    other.close()
    expect(cache.bytes).toBe(0)
  })

  it('clears one tenant or all of them', () => {
    const { cache, open } = setup()
    open('qa').keep('qa', 0, 10, rows(1))
    open('qb', 'b').keep('qb', 0, 10, rows(2))
    cache.clear('a')
    expect([open('qa').get('qa', 0), cache.bytes]).toEqual([undefined, 10])
    cache.clear(null)
    expect(cache.bytes).toBe(0)
  })

  it('stays within its budget by dropping the least recently used first', () => {
    const { cache, open } = setup({ budgetBytes: 20 })
    const mine = open('x y z huge')
    mine.keep('x', 0, 10, rows(1))
    mine.keep('y', 0, 10, rows(2))
    expect(mine.get('x', 0)).toBeDefined()
    mine.keep('z', 0, 10, rows(3))
    mine.keep('huge', 0, 21, rows(4))
    expect(['x', 'y', 'z', 'huge'].map(key => mine.get(key, 0) !== undefined)).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(cache.bytes).toBe(20)
  })

  it('drops an encoding that failed, but not a later one of the same question', async () => {
    const { open } = setup()
    const mine = open('q r')
    const failing = Promise.withResolvers<Float32Array>()
    mine.keep('q', 0, 10, failing.promise)
    const again = rows(2)
    mine.keep('q', 0, 10, again)
    failing.reject(new Error('no'))
    await Promise.resolve()
    expect(mine.get('q', 0)).toBe(again)
    const other = Promise.reject<Float32Array>(new Error('no'))
    mine.keep('r', 0, 10, other)
    await expect(other).rejects.toThrow('no')
    expect(mine.get('r', 0)).toBeUndefined()
  })
})
