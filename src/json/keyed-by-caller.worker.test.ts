import { describe, expect, it } from 'vitest'
import { readCalibrationRequest } from '../calibration/request.ts'
import { unitsOf } from '../calibration/serve.ts'
import { readQuestion } from '../decision/questions.ts'
import { readDecisionRequest } from '../decision/request.ts'
import { openai } from '../dialects/openai/openai.ts'
import { jsonIn } from '../testing/json.ts'
import { copyOf, isObject, type Json } from './json.ts'
import { MAX_MEMBERS, readJson } from './reader.ts'
import { compact } from './writer.ts'

/** In workerd, whose V8 hashes a string of digits by its value: multiples of a large power of two collide. */
const MEETING = Array.from({ length: MAX_MEMBERS - 1 }, (_, i) => String((i + 20_000) * 65_536))

/** The clock stands still here until something is awaited. */
const took = async (work: () => void): Promise<number> => {
  const start = Date.now()
  work()
  await new Promise(resolve => setTimeout(resolve, 0))
  return Date.now() - start
}

/** Keys that collide, but with none of `MEETING`: V8 keeps one table of all strings that were ever a key. */
const keysAt = (first: number, count: number): string[] =>
  each(count, at => String((first + at + 1) * 32_768 + 1))

const each = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at))

const objectOf = (keys: readonly string[], member: string): string =>
  `{${keys.map(key => `"${key}":${member}`).join(',')}}`

/** Every way in which this code hashes a key. The key is the first argument. */
const HASHING: [owner: object, methods: string[]][] = [
  [Map.prototype, ['get', 'has', 'set', 'delete']],
  [Set.prototype, ['has', 'add', 'delete']],
]

/** The keys of digits that the work hashes as they were sent, so that they may collide, however long that takes here. */
const hashedAsSent = (work: () => unknown): unknown[] => {
  const hashed: unknown[] = []
  const note = (key: unknown) => {
    if (typeof key === 'string' && /^\d{5,15}$/.test(key)) hashed.push(key)
  }
  const spies = HASHING.flatMap(([owner, methods]) =>
    methods.map(name => {
      const method = Reflect.get(owner, name)
      Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
        note(args[0])
        return Reflect.apply(method, this, args)
      })
      return () => Reflect.set(owner, name, method)
    }),
  )
  const { fromEntries } = Object
  Object.fromEntries = (entries: Iterable<readonly unknown[]>) => {
    const all = [...entries]
    for (const [key] of all) note(key)
    return fromEntries(all)
  }
  try {
    work()
  } finally {
    Object.fromEntries = fromEntries
    for (const restore of spies) restore()
  }
  return hashed
}

describe('keys that were chosen to collide, a few in each of many objects', () => {
  it('are read as quickly as any others', async () => {
    const text = `[${each(25_000, at => objectOf(keysAt(5 * at, 5), '0')).join(',')}]`
    expect(await took(() => readJson(text))).toBeLessThan(2_000)
  })

  const EXAMPLE = `{"state":"s","questions":${objectOf(keysAt(0, 100), '{"type":"noul","label":true}')}}`

  it.each<[string, text: string, read: (body: Json) => unknown]>([
    [
      'options',
      `{"state":"s","questions":{"q":{"type":"choice","criteria":${objectOf(keysAt(0, 100), 'null')}}}}`,
      readDecisionRequest,
    ],
    [
      'questions of a calibration',
      `{"examples":[${each(200, () => EXAMPLE).join(',')}]}`,
      body => [...unitsOf(readCalibrationRequest(body), { tenant: 't', snapshot: 's' })],
    ],
    [
      'choices of OpenAI’s API',
      JSON.stringify({
        input: 's',
        questions: [{ type: 'choice', instructions: 'x', choices: keysAt(0, 100).map(value => ({ value })) }],
      }),
      body => openai.read(body),
    ],
    [
      'unknown fields',
      `{"state":"s","questions":{"q":{"type":"noul"}},${objectOf(keysAt(0, 100), '0').slice(1)}`,
      readDecisionRequest,
    ],
  ])('are never hashed as they were sent when they are %s', (_, text, read) => {
    expect(hashedAsSent(() => read(jsonIn(text)))).toEqual([])
  })

  it.each([
    ['a Map', (key: string) => new Map([[key, 0]])],
    ['a Set', (key: string) => new Set([key])],
    ['an object', (key: string) => Object.fromEntries([[key, 0]])],
  ])('would be noticed in %s', (_, make) => {
    expect(hashedAsSent(() => make('65536'))).toEqual(['65536'])
  })
})

describe('an object of keys that were chosen to collide', () => {
  const text = `{${MEETING.map(key => `"${key}":1`).join(',')}}`

  it('is read as quickly as any other', async () => {
    expect(await took(() => expect(readJson(text).kind).toBe('read'))).toBeLessThan(1_000)
  })

  it('is refused as quickly if they are the options of a question that has none', async () => {
    const question: Json = new Map<string, Json>([
      ['type', 'noul'],
      ['options', MEETING],
    ])
    const refused = () => expect(() => readQuestion(question, ['questions', 'q'])).toThrow('true and false')
    expect(await took(refused)).toBeLessThan(1_000)
  })

  it('is copied as quickly', async () => {
    const value = jsonIn(text)
    if (!isObject(value)) throw new Error('no object')
    expect(await took(() => expect(copyOf(value).size).toBe(MEETING.length))).toBeLessThan(1_000)
  })

  it('holds what was sent, in its order', () => {
    const value = jsonIn(text)
    if (!isObject(value)) throw new Error('no object')
    expect([...value.keys()]).toEqual(MEETING)
    expect(value.size).toBe(MEETING.length)
    expect(compact(value)).toBe(text)
  })
})
