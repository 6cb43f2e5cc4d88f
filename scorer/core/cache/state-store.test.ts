import { describe, expect, it } from 'vitest'
import { Interrupted, type Waiter } from '../../backend/backend.ts'
import { createMemoryPool } from '../memory/memory-pool.ts'
import { StateStore, type StoreEvent } from './state-store.ts'

const LIFETIME_MS = 300_000
/** Memory is allocated in multiples of this. */
const UNIT = 64

const setup = ({ memory = 10, cache = 10 } = {}) => {
  let now = 0
  let reads = 0
  const pool = createMemoryPool(memory * UNIT, setImmediate)
  const places = new Map<number, string>()
  const freed: string[] = []
  const events: StoreEvent[] = []
  const store = new StateStore<string>({
    memory: {
      take: pool.take,
      give: memory => {
        freed.push(places.get(memory.byteOffset) ?? 'unread')
        pool.give(memory)
      },
    },
    cacheBytes: cache * UNIT,
    lifetimeMs: LIFETIME_MS,
    now: () => now,
    onEvent: event => events.push(event),
  })
  const patient: Waiter = { gone: () => false }
  const ask = (key: string, { size = 1, tenant = 'a', waiter = patient, encode = read(key) } = {}) =>
    store.tryAcquire({ key, tenant, bytes: size * UNIT, encode }, waiter)
  const read = (key: string) => async (memory: Uint8Array, _: Waiter) => {
    reads += 1
    const state = `${key}${reads}`
    places.set(memory.byteOffset, state)
    await Promise.resolve()
    return state
  }
  return {
    store,
    usedUnits: () => pool.usedBytes / UNIT,
    freed,
    events,
    ask,
    pass: (ms: number) => {
      now += ms
    },
    reads: () => reads,
    use: async (key: string, options = {}) => {
      const lease = await ask(key, options)
      lease?.release()
      return lease
    },
  }
}

describe('the store of encoded states', () => {
  it('encodes a state once and then serves it from the cache', async () => {
    const { use, reads } = setup()
    expect(await use('x')).toMatchObject({ state: 'x1', cached: false })
    expect(await use('x')).toMatchObject({ state: 'x1', cached: true })
    expect(reads()).toBe(1)
  })

  it('encodes a new state once for everyone who asks for it at the same time', async () => {
    const { ask, reads, usedUnits } = setup()
    const leases = await Promise.all([ask('x'), ask('x'), ask('x')])
    expect(reads()).toBe(1)
    expect(leases.map(lease => lease?.cached)).toEqual([false, true, true])
    expect(usedUnits()).toBe(1)
  })

  it('counts the 300 seconds from when a state is written, not from its last use', async () => {
    const { use, pass, freed, store } = setup()
    await use('x')
    pass(LIFETIME_MS - 1)
    expect((await use('x'))?.cached).toBe(true)
    pass(1)
    expect(store.standing('x')).toBe('absent')
    expect((await use('x'))?.cached).toBe(false)
    expect(freed).toEqual(['x1'])
  })

  it('drops an expired state even if nobody asks for it', async () => {
    const { use, pass, store, freed, usedUnits } = setup()
    await use('x')
    pass(LIFETIME_MS)
    store.sweep()
    expect(freed).toEqual(['x1'])
    expect(store.usage).toEqual({ cachedBytes: 0, cachedStates: 0 })
    expect(usedUnits()).toBe(0)
  })

  it('drops the least recently used state to make room for a new one', async () => {
    const { use, store, freed } = setup({ cache: 2 })
    await use('x')
    await use('y')
    await use('x')
    await use('z')
    expect(freed).toEqual(['y2'])
    expect(['x', 'y', 'z'].map(key => store.standing(key))).toEqual(['encoded', 'absent', 'encoded'])
  })

  it('drops a state that was in use when others had to go as soon as it is the oldest that may', async () => {
    const { use, ask, freed } = setup({ memory: 3 })
    for (const key of ['x', 'y', 'z']) await use(key)
    const held = [await ask('x'), await ask('y'), await ask('z')]
    held.at(-1)?.release()
    await use('v')
    expect(freed).toEqual(['z3'])
    for (const lease of held.slice(0, -1)) lease?.release()
    for (const key of ['w', 'u', 't']) await use(key)
    expect(freed).toEqual(['z3', 'x1', 'y2', 'v4'])
  })

  it('distinguishes a cached state from one that is still being encoded', async () => {
    const { ask, store } = setup()
    const reading = ask('x')
    expect(store.standing('x')).toBe('pending')
    ;(await reading)?.release()
    expect(store.standing('x')).toBe('encoded')
  })

  it('serves a state larger than the cache, but does not keep it', async () => {
    const { use, freed, usedUnits } = setup({ cache: 0.5 })
    expect((await use('x'))?.cached).toBe(false)
    expect(freed).toEqual(['x1'])
    expect(usedUnits()).toBe(0)
  })

  it('stays within its memory: cached states make room for others, states in use do not', async () => {
    const { ask, use, freed, store } = setup({ memory: 2 })
    await use('x')
    const held = await ask('x')
    await use('y')
    expect(ask('big', { size: 2 })).toBeNull()
    expect(await use('z')).toMatchObject({ state: 'z3' })
    expect(freed).toContain('y2')
    expect(store.standing('x')).toBe('encoded')
    held?.release()
    expect(ask('big', { size: 2 })).not.toBeNull()
  })

  it('frees a state that has left the cache only when its last user is done', async () => {
    const { ask, store, freed } = setup()
    const [first, second] = await Promise.all([ask('x'), ask('x')])
    const third = await ask('x')
    expect(store.clear(null)).toBe(1)
    first?.release()
    second?.release()
    expect(freed).toEqual([])
    third?.release()
    expect(freed).toEqual(['x1'])
  })

  it('clears one tenant or all, and does not keep states that are still being encoded for them', async () => {
    const { ask, use, store, usedUnits } = setup()
    await use('mine', { tenant: 'a' })
    await use('other', { tenant: 'b' })
    const reading = [ask('late', { tenant: 'a' }), ask('other late', { tenant: 'b' })]
    expect(store.clear('a')).toBe(1)
    expect(['late', 'other late'].map(key => store.standing(key))).toEqual(['absent', 'pending'])
    for (const lease of await Promise.all(reading)) lease?.release()
    expect(['mine', 'other', 'late', 'other late'].map(key => store.standing(key))).toEqual([
      ...['absent', 'encoded', 'absent', 'encoded'],
    ])
    expect(usedUnits()).toBe(2)
    const last = ask('last')
    expect(store.clear(null)).toBe(2)
    ;(await last)?.release()
    expect([store.standing('last'), usedUnits()]).toEqual(['absent', 0])
  })

  it.each([
    ['is abandoned by all but completes', 'x1'],
    ['is abandoned by all and fails', null],
  ])('encodes again for a caller who comes after an encoding that %s', async (_, outcome) => {
    const { ask, store, usedUnits } = setup()
    const readings = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const
    let seen: Waiter | undefined
    const encode = (_: Uint8Array, waiter: Waiter) => {
      seen = waiter
      return readings[0].promise
    }
    const first = ask('x', { encode, waiter: { gone: () => true } })
    expect(seen?.gone()).toBe(true)
    const second = ask('x', { encode: () => readings[1].promise })
    if (outcome === null) {
      readings[0].reject(new Interrupted('cancelled'))
      await expect(first).rejects.toThrow(Interrupted)
    } else {
      readings[0].resolve(outcome)
      ;(await first)?.release()
    }
    expect(store.standing('x')).toBe('pending')
    readings[1].resolve('x2')
    const lease = await second
    lease?.release()
    expect(lease).toMatchObject({ state: 'x2', cached: false })
    expect(store.usage.cachedStates).toBe(1)
    expect(usedUnits()).toBe(1)
  })

  it('goes on encoding while anyone waits, and stops when all have left', async () => {
    const { ask, store, usedUnits } = setup()
    const gone = { a: false, b: false }
    let seen: Waiter | undefined
    const { promise, reject } = Promise.withResolvers<string>()
    const encode = (_: Uint8Array, waiter: Waiter) => {
      seen = waiter
      return promise
    }
    const a = ask('x', { encode, waiter: { gone: () => gone.a } })
    const b = ask('x', { waiter: { gone: () => gone.b } })
    expect(seen?.gone()).toBe(false)
    gone.b = true
    expect(seen?.gone()).toBe(false)
    expect(store.standing('x')).toBe('pending')
    gone.a = true
    expect(seen?.gone()).toBe(true)
    // Nobody may join an encoding that the engine already knows to be over.
    expect(store.standing('x')).toBe('absent')
    reject(new Interrupted('cancelled'))
    await expect(a).rejects.toThrow(Interrupted)
    await expect(b).rejects.toThrow(Interrupted)
    expect(usedUnits()).toBe(0)
  })

  it('keeps nothing of an encoding that failed', async () => {
    const { ask, use, usedUnits } = setup()
    await expect(ask('x', { encode: () => Promise.reject(new Error('no')) })).rejects.toThrow('no')
    expect(usedUnits()).toBe(0)
    expect((await use('x'))?.cached).toBe(false)
  })

  it('reports its events', async () => {
    const { ask, use, store, events, pass } = setup({ cache: 1 })
    await use('x')
    await use('x')
    await use('y')
    pass(LIFETIME_MS)
    store.sweep()
    await Promise.all([ask('z'), ask('z')])
    store.clear(null)
    expect(events).toEqual(['miss', 'hit', 'miss', 'evicted', 'expired', 'miss', 'joined', 'cleared'])
  })
})
