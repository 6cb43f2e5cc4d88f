import { describe, expect, it } from 'vitest'
import { jsonIn } from '../testing/json.ts'
import { copyOf, isObject } from './json.ts'
import { KeyedByCaller } from './keyed-by-caller.ts'
import { readJson } from './reader.ts'

const NUMBERS = Array.from({ length: 1_000 }, (_, i) => String(999_999 - i))
const membersOf = (keys: readonly string[]) => `{${keys.map((key, at) => `"${key}":${at}`).join(',')}}`

describe('an object with keys of digits', () => {
  it('is a Map like any other', () => {
    const value = jsonIn(membersOf(['name', ...NUMBERS, '', '.']))
    if (!isObject(value)) throw new Error('no object')
    expect(value).toBeInstanceOf(KeyedByCaller)
    const plain = new Map(['name', ...NUMBERS, '', '.'].map((key, at) => [key, at]))
    expect([...value]).toEqual([...plain])
    expect([...value.keys()]).toEqual([...plain.keys()])
    expect([...value.values()]).toEqual([...plain.values()])
    const called: unknown[] = []
    value.forEach((member, key) => {
      called.push([key, member])
    })
    expect(called).toEqual([...plain])
    for (const key of [...plain.keys(), '1', '..']) {
      expect(value.get(key)).toBe(plain.get(key))
      expect(value.has(key)).toBe(plain.has(key))
    }
    const copy = copyOf(value)
    expect(copy.delete('name')).toBe(true)
    expect([copy.size, value.size]).toEqual([plain.size - 1, plain.size])
    expect(copy).toBeInstanceOf(KeyedByCaller)
  })

  it('does not repeat a key either', () => {
    const twice = readJson(membersOf([...NUMBERS, '999999']))
    expect(twice).toMatchObject({ kind: 'refused', rule: expect.stringContaining('must not repeat a key') })
  })
})
