import { describe, expect, it } from 'vitest'
import { MAX_OPTIONS } from '../../scorer/limits.ts'
import { answerTo } from '../decision/answers.ts'
import { readQuestion } from '../decision/questions.ts'
import { readDecisionRequest } from '../decision/request.ts'
import { expectAsQuick } from '../testing/as-quick.ts'
import { jsonIn, jsonObjectIn } from '../testing/json.ts'
import { setup } from '../testing/setup.ts'
import type { Json } from './json.ts'
import { copyOf } from './keyed-by-caller.ts'
import { MAX_MEMBERS, readJson } from './reader.ts'
import { compact } from './writer.ts'

/** In workerd, whose V8 hashes a string of digits by its value: multiples of a large power of two collide. */
const MEETING = Array.from({ length: MAX_MEMBERS - 1 }, (_, i) => String((i + 20_000) * 65_536))

/** The same text with keys that do not collide. */
const spread = (text: string): string => text.replaceAll(/"(?=\d)/g, '"k')

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

/** The keys that the work hashes as they were sent although they may collide, however long that takes here. */
const hashedAsSent = async (work: () => unknown): Promise<unknown[]> => {
  const hashed: unknown[] = []
  const note = (key: unknown) => {
    if (typeof key === 'string' && (/^\d{5,15}$/.test(key) || key.length > 16_383)) hashed.push(key)
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
    await work()
  } finally {
    Object.fromEntries = fromEntries
    for (const restore of spies) restore()
  }
  return hashed
}

describe('keys that were chosen to collide, a few in each of many objects', () => {
  it('are read as quickly as any others', async () => {
    const text = `[${each(25_000, at => objectOf(keysAt(5 * at, 5), '0')).join(',')}]`
    const others = spread(text)
    await expectAsQuick(
      () => readJson(text),
      () => readJson(others),
    )
  })

  const LONG = 'k'.repeat(16_384)
  const OPTIONS = keysAt(0, 10)
  const CHOICE = `"type":"choice","criteria":${objectOf(OPTIONS, 'null')}`
  const CHOICE_OF_LONG = `"type":"choice","options":["a","${LONG}"]`
  const BY_ID = objectOf([...keysAt(100, 10), LONG], `{${CHOICE}}`)
  const BY_NAME = `[${[...keysAt(100, 10), LONG].map(name => `{"name":"${name}",${CHOICE_OF_LONG}}`)}]`
  const UNKNOWN = objectOf([...keysAt(200, 10), LONG], '0').slice(1)
  const LABELLED = each(200, at => {
    const instructions = at === 0 ? LONG : ''
    const question = `{${CHOICE},"instructions":"${instructions}","label":"${OPTIONS[at % 3]}"}`
    return `{"state":"${at}","questions":${objectOf(keysAt(100, 2), question)}}`
  })
  const CHOICES = JSON.stringify([
    { type: 'choice', instructions: 'x', choices: [...OPTIONS, LONG].map(value => ({ value })) },
  ])
  const CALL = JSON.stringify([
    { type: 'function_call', call_id: LONG, name: 'f', arguments: '{}', [LONG]: 0 },
    { type: 'function_call_output', call_id: LONG, output: 'x' },
  ])

  it.each([
    ['/v1/decisions', `{"state":"s","questions":${BY_ID},${UNKNOWN}`],
    ['/v1/decisions', `{"state":"s","questions":${BY_NAME},${UNKNOWN}`],
    ['/v1/systemone', `{"state":"s","questions":${BY_ID},${UNKNOWN}`],
    ['/openai/v1/decisions', `{"input":${CALL},"questions":${CHOICES},${UNKNOWN}`],
    ['/v1/calibrations', `{"offsets":true,"examples":[${LABELLED}],${UNKNOWN}`],
  ])('are never hashed as they were sent to %s', async (path, text) => {
    const { post } = setup()
    const hashed = await hashedAsSent(async () => expect((await post(path, text)).status).toBe(200))
    expect(hashed).toEqual([])
  })

  it.each([
    ['type', `"type":"${LONG}"`],
    ['name of a field', `"type":"noul","${LONG}":1`],
  ])('are not hashed either as an unknown %s', async (_, members) => {
    const { post } = setup()
    const body = `{"state":"s","questions":{"q":{${members}}}}`
    const hashed = await hashedAsSent(async () =>
      expect((await post('/v1/decisions', body)).status).toBe(422),
    )
    expect(hashed).toEqual([])
  })

  it.each([
    ['a Map', (key: string) => new Map([[key, 0]])],
    ['a Set', (key: string) => new Set([key])],
    ['an object', (key: string) => Object.fromEntries([[key, 0]])],
  ])('would be noticed in %s', async (_, make) => {
    expect(await hashedAsSent(() => make('65536'))).toEqual(['65536'])
  })
})

describe('keys so long that their hash is their length', () => {
  it('are read as quickly as any others, also after those of other requests', async () => {
    const reading = (keyLength: number) => {
      const bodies = each(8, body => {
        const keys = each(240, at => `${body}.${at}`.padStart(keyLength, 'k'))
        return objectOf(keys, '1')
      })
      return () => {
        for (const body of bodies) expect(readJson(body).kind).toBe('read')
      }
    }
    await expectAsQuick(reading(16_384), reading(16_300))
  })
})

describe('options that were chosen to collide, as many as there may be', () => {
  it('are answered as quickly as any others', async () => {
    const question = `{"type":"choice","criteria":${objectOf(MEETING.slice(0, MAX_OPTIONS), 'null')}}`
    const ids = each(100, at => `q${at}`)
    const scores = { logits: each(MAX_OPTIONS, () => 0), reversed: null }
    const answering = (body: string) => {
      const { questions } = readDecisionRequest(jsonIn(body))
      return () => {
        for (const asked of questions.values()) answerTo(asked, scores, null)
      }
    }
    const body = `{"state":"s","questions":${objectOf(ids, question)}}`
    await expectAsQuick(answering(body), answering(spread(body)))
  })
})

describe('an object of keys that were chosen to collide', () => {
  const text = `{${MEETING.map(key => `"${key}":1`).join(',')}}`

  it('is read as quickly as any other', async () => {
    const reading = (body: string) => () => expect(readJson(body).kind).toBe('read')
    await expectAsQuick(reading(text), reading(spread(text)))
  })

  it('is refused as quickly if they are the options of a question that has none', async () => {
    const refusing = (options: string[]) => {
      const question: Json = new Map<string, Json>([
        ['type', 'noul'],
        ['options', options],
      ])
      return () => expect(() => readQuestion(question, ['questions', 'q'])).toThrow('true and false')
    }
    await expectAsQuick(refusing(MEETING), refusing(MEETING.map(key => `k${key}`)))
  })

  it('is copied as quickly', async () => {
    const copying = (body: string) => {
      const value = jsonObjectIn(body)
      return () => expect(copyOf(value).size).toBe(MEETING.length)
    }
    await expectAsQuick(copying(text), copying(spread(text)))
  })

  it('holds what was sent, in its order', () => {
    const value = jsonObjectIn(text)
    expect([...value.keys()]).toEqual(MEETING)
    expect(value.size).toBe(MEETING.length)
    expect(compact(value)).toBe(text)
  })
})
