import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Entry, LruCache } from './lru-cache.ts'

const BUDGET = 10
const LIFETIME_MS = 20

/** The same as a plain list, the least recently used first. */
const model = () => {
  let entries: (Entry<number> & { expiresAt: number })[] = []
  const leave = (goes: (entry: Entry<number> & { expiresAt: number }) => boolean) => {
    const gone = entries.filter(goes)
    entries = entries.filter(entry => !gone.includes(entry))
    return gone.map(({ key }) => key)
  }
  return {
    put: (entry: Entry<number>, now: number) => {
      const gone = leave(({ key }) => key === entry.key)
      const held = () => entries.reduce((sum, { bytes }) => sum + bytes, entry.bytes)
      while (held() > BUDGET) gone.push(...leave(one => one === entries[0]))
      entries.push({ ...entry, expiresAt: now + LIFETIME_MS })
      return gone
    },
    get: (key: string, now: number) => {
      const found = entries.find(one => one.key === key && now < one.expiresAt)
      if (found !== undefined) entries = [...entries.filter(one => one !== found), found]
      return found?.key
    },
    evictOldest: (mayGo: (value: number) => boolean) => {
      const oldest = entries.find(({ value }) => mayGo(value))
      return leave(one => one === oldest)[0]
    },
    dropExpired: (now: number) => leave(({ expiresAt }) => now >= expiresAt),
    clear: (tenant: string) => leave(one => one.tenant === tenant),
    get bytes() {
      return entries.reduce((sum, { bytes }) => sum + bytes, 0)
    },
  }
}

const key = fc.constantFrom(...'abcdefgh')
const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: key, bytes: fc.integer({ min: 1, max: 4 }), value: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ get: key }) },
  { weight: 3, arbitrary: fc.record({ evict: fc.nat(5) }) },
  fc.record({ pass: fc.nat(15) }),
  fc.record({ clear: fc.constantFrom('t', 'u') }),
)

it('keeps and drops what a list in order of use would', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 80, size: 'max' }), moves => {
      const cache = new LruCache<number>({ budgetBytes: BUDGET, lifetimeMs: LIFETIME_MS })
      const list = model()
      const keys = (gone: Entry<number>[]) => gone.map(entry => entry.key)
      let now = 0
      for (const step of moves) {
        if ('put' in step) {
          const { put: key, bytes, value } = step
          const entry = { key, bytes, value, tenant: key < 'e' ? 't' : 'u' }
          expect(keys(cache.put(entry, now))).toEqual(list.put(entry, now))
        } else if ('get' in step) {
          expect(cache.get(step.get, now)?.key).toBe(list.get(step.get, now))
        } else if ('evict' in step) {
          const mayGo = (value: number) => value !== step.evict
          expect(cache.evictOldest(mayGo)?.key).toBe(list.evictOldest(mayGo))
        } else if ('pass' in step) {
          now += step.pass
          expect(keys(cache.dropExpired(now))).toEqual(list.dropExpired(now))
        } else {
          expect(keys(cache.clear(step.clear))).toEqual(list.clear(step.clear))
        }
        expect(cache.bytes).toBe(list.bytes)
      }
    }),
    { numRuns: 300 },
  )
})

/** What came into a cache and has left it again, some of it for want of room. */
const left = (): { cache: LruCache<object>; values: WeakRef<object>[] } => {
  const cache = new LruCache<object>({ budgetBytes: 300, lifetimeMs: LIFETIME_MS })
  const values: WeakRef<object>[] = []
  for (let place = 0; place < 10_000; place++) {
    const value = {}
    values.push(new WeakRef(value))
    cache.put({ key: String(place), tenant: 't', bytes: 1, value }, 0)
    if (place % 1_000 < 300) cache.remove(String(place), value)
  }
  cache.clear('t')
  return { cache, values }
}

it('keeps nothing in memory of what has left it', async () => {
  const { cache, values } = left()
  // What a weak reference was made to counts as in use until the turn ends.
  await nextTurn()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(values.filter(value => value.deref() !== undefined)).toHaveLength(0)
  expect(cache.size).toBe(0)
})
