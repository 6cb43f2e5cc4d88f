import { describe, expect, it } from 'vitest'
import { jsonObjectIn } from '../testing/json.ts'
import { copyOf, KeyedByCaller } from './keyed-by-caller.ts'
import { readJson } from './reader.ts'

const LONG = ['k'.repeat(16_383), '9'.repeat(16_384), `${'k'.repeat(20_000)}.`, `#${'k'.repeat(20_000)}`]
const NUMBERS = Array.from({ length: 1_000 }, (_, i) => String(999_999 - i))
const KEYS = ['name', ...LONG.slice(0, 2), ...NUMBERS, ...LONG.slice(2), '', '.', '#0']
const membersOf = (keys: readonly string[]) => `{${keys.map((key, at) => `"${key}":${at}`).join(',')}}`

describe('an object with keys of digits and long ones', () => {
  it('is a Map like any other', () => {
    const value = jsonObjectIn(membersOf(KEYS))
    expect(value).toBeInstanceOf(KeyedByCaller)
    const plain = new Map(KEYS.map((key, at) => [key, at]))
    expect([...value]).toEqual([...plain])
    expect([...value.keys()]).toEqual([...plain.keys()])
    expect([...value.values()]).toEqual([...plain.values()])
    const called: unknown[] = []
    value.forEach((member, key) => {
      called.push([key, member])
    })
    expect(called).toEqual([...plain])
    for (const key of [...plain.keys(), '1', '..', '#1', 'k'.repeat(16_384)]) {
      expect(value.get(key)).toBe(plain.get(key))
      expect(value.has(key)).toBe(plain.has(key))
    }
    const copy = copyOf(value)
    expect(copy.delete('name')).toBe(true)
    expect([copy.size, value.size]).toEqual([plain.size - 1, plain.size])
    expect(copy).toBeInstanceOf(KeyedByCaller)
    for (const key of LONG) {
      expect([copy.delete(key), copy.has(key)]).toEqual([true, false])
      expect([...copy.set(key, null).keys()].at(-1)).toBe(key)
    }
  })

  it.each(['999999', ...LONG])('does not repeat a key either', key => {
    const twice = readJson(membersOf([...KEYS, key]))
    expect(twice).toMatchObject({ kind: 'refused', rule: expect.stringContaining('must not repeat a key') })
  })
})
