import { describe, expect, it } from 'vitest'
import { Numeral, objectOf } from './json.ts'
import { compact } from './writer.ts'

describe('compact', () => {
  it('writes no white space and escapes only what JSON asks for', () => {
    const value = objectOf({
      b: ['"\\\n', 'é😀/\u2028', new Numeral('1.0')],
      a: null,
      left: undefined,
      t: true,
    })
    expect(compact(value)).toBe('{"b":["\\"\\\\\\n","é😀/\u2028",1.0],"a":null,"t":true}')
  })

  it('writes empty arrays, objects, keys and strings', () => {
    expect(compact([[], new Map(), new Map([['', '']])])).toBe('[[],{},{"":""}]')
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s rather than write invalid JSON', value => {
    expect(() => compact([value])).toThrow(RangeError)
  })
})
