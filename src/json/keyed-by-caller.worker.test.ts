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

type Keys = (first: number, count: number) => string[]

/** Different colliding keys for each test, because V8 keeps one table of all strings that were ever a key. */
const meetingAt =
  (rest: number): Keys =>
  (first, count) =>
    each(count, at => String((first + at + 1) * 32_768 + rest))

const each = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at))

const objectOf = (keys: readonly string[], member: string): string =>
  `{${keys.map(key => `"${key}":${member}`).join(',')}}`

describe('keys that were chosen to collide, a few in each of many objects', () => {
  it('are read as quickly as any others', async () => {
    const keys = meetingAt(1)
    const text = `[${each(25_000, at => objectOf(keys(5 * at, 5), '0')).join(',')}]`
    expect(await took(() => readJson(text))).toBeLessThan(2_000)
  })

  it.each<[string, rest: number, bodyOf: (keys: Keys) => string, read: (body: Json) => unknown]>([
    [
      'options',
      2,
      keys => {
        const criteria = each(120, at => objectOf(keys(1_024 * at, 1_024), 'null'))
        const questions = criteria.map((one, at) => `"q${at}":{"type":"choice","criteria":${one}}`)
        return `{"state":"s","questions":{${questions.join(',')}}}`
      },
      readDecisionRequest,
    ],
    [
      'questions of a calibration',
      3,
      keys => {
        const ids = each(600, at => objectOf(keys(100 * at, 100), '{"type":"noul","label":true}'))
        return `{"examples":[${ids.map(questions => `{"state":"s","questions":${questions}}`).join(',')}]}`
      },
      body => [...unitsOf(readCalibrationRequest(body), { tenant: 't', snapshot: 's' })],
    ],
    [
      'choices of OpenAI’s API',
      4,
      keys => {
        const questions = each(128, at => {
          const choices = keys(255 * at, 255).map(value => ({ value }))
          return { type: 'choice', instructions: 'x', choices }
        })
        return JSON.stringify({ input: 's', questions })
      },
      body => openai.read(body),
    ],
    [
      'unknown fields',
      5,
      keys => `{"state":"s","questions":{"q":{"type":"noul"}},${objectOf(keys(0, 32_000), '0').slice(1)}`,
      readDecisionRequest,
    ],
  ])('are read as quickly as any others when they are %s', async (_, rest, bodyOf, read) => {
    const meeting = meetingAt(rest)
    const others: Keys = (first, count) => meeting(first, count).map(key => `k${key}`)
    const [other, met] = [jsonIn(bodyOf(others)), jsonIn(bodyOf(meeting))]
    const usual = await took(() => read(other))
    expect(await took(() => read(met))).toBeLessThan(3 * usual + 100)
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
