import { describe, expect, it } from 'vitest'
import { readQuestion } from '../decision/questions.ts'
import { copyOf, isObject, type Json } from './json.ts'
import { MAX_MEMBERS, readJson } from './reader.ts'
import { compact } from './writer.ts'

/** In workerd, whose V8 hashes a text of digits by its value: multiples of a large power of two meet in one place. */
const MEETING = Array.from({ length: MAX_MEMBERS - 1 }, (_, i) => String((i + 20_000) * 65_536))

/** The clock stands still here until something is waited for. */
const took = async (work: () => void): Promise<number> => {
  const start = Date.now()
  work()
  await new Promise(resolve => setTimeout(resolve, 0))
  return Date.now() - start
}

describe('an object of keys that were chosen to meet', () => {
  const text = `{${MEETING.map(key => `"${key}":1`).join(',')}}`

  it('is read as quickly as any other', async () => {
    expect(await took(() => expect(readJson(text).kind).toBe('read'))).toBeLessThan(1_000)
  })

  it('is refused as quickly where they are options of what has none', async () => {
    const question: Json = new Map<string, Json>([
      ['type', 'noul'],
      ['options', MEETING],
    ])
    const refused = () => expect(() => readQuestion(question, 'questions.q')).toThrow('true and false')
    expect(await took(refused)).toBeLessThan(1_000)
  })

  it('is copied as quickly', async () => {
    const reading = readJson(text)
    const value = reading.kind === 'read' && isObject(reading.value) ? reading.value : new Map()
    expect(await took(() => expect(copyOf(value).size).toBe(MEETING.length))).toBeLessThan(1_000)
  })

  it('holds what was sent, in its order', () => {
    const reading = readJson(text)
    const value: Json = reading.kind === 'read' ? reading.value : null
    if (!isObject(value)) throw new Error('no object')
    expect([...value.keys()]).toEqual(MEETING)
    expect(value.size).toBe(MEETING.length)
    expect(compact(value)).toBe(text)
  })
})
