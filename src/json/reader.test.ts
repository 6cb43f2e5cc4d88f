import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonIn } from '../testing/json.ts'
import { isArray, isObject, type Json, Numeral } from './json.ts'
import { CONTAINER_NODES, MAX_CONTAINERS, MAX_DEPTH, MAX_MEMBERS, MAX_NODES, readJson } from './reader.ts'
import { compact } from './writer.ts'

const plain = (json: Json): unknown => {
  if (json instanceof Numeral) return json.value
  if (isArray(json)) return json.map(plain)
  if (isObject(json)) return Object.fromEntries([...json].map(([key, value]) => [key, plain(value)]))
  return json
}

const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** Documents with white space, numbers JavaScript would write differently, and escapes. */
const documentText = fc.oneof(
  fc.json(),
  fc.json({ stringUnit: 'binary' }),
  fc.jsonValue().map(value => JSON.stringify(value, null, '\t')),
  fc
    .array(fc.constantFrom('1.0', '-0', '1e3', '1E-7', '12345678901234567890', '0.1', '-17', '1e400'))
    .map(numbers => `[ ${numbers.join(' ,\r\n')} ]`),
  fc
    .array(fc.constantFrom('\\u0041', '\\n', '\\/', '\\ud83d\\ude00', '\\ud83d', 'é', '😀', '\\x', '\u0001'))
    .map(pieces => `{"${pieces.join('')}":"${pieces.reverse().join('')}"}`),
)

const mutatedText = fc
  .tuple(documentText, fc.nat(), fc.constantFrom('', ...'{}[]",:\\0123456789-+.eEtfnu \t\n\u0000\ud800é'))
  .chain(([text, place, insert]) =>
    fc.constantFrom(0, 1, 2).map(removed => {
      const at = place % (text.length + 1)
      return text.slice(0, at) + insert + text.slice(at + removed)
    }),
  )

describe('readJson agrees with JSON.parse', () => {
  it('on random documents', () => {
    fc.assert(
      fc.property(documentText, text => {
        const reading = readJson(text)
        if (reading.kind === 'refused') {
          expect(reading.rule).toMatch(/surrogate|repeat|control/)
        } else expect(plain(reading.value)).toEqual(parsed(text)?.value)
      }),
      { numRuns: 2_000 },
    )
  })

  it('on what is a document at all, however the document is damaged', () => {
    fc.assert(
      fc.property(mutatedText, text => {
        const reading = readJson(text)
        const native = parsed(text)
        if (reading.kind === 'read') expect(plain(reading.value)).toEqual(native?.value)
        else {
          expect(reading.at).toBeLessThanOrEqual(text.length)
          if (native !== null) expect(reading.rule).toMatch(/surrogate|repeat/)
        }
      }),
      { numRuns: 10_000 },
    )
  })

  it('and what it read is written back unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const text = JSON.stringify(value)
        expect(compact(jsonIn(text))).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })

  it('on strings of any length, whatever is escaped in them', () => {
    const piece = fc.constantFrom(
      ...['\\u0041', '\\uD83D', '\\ude00', '\\n', '\\"', '\\\\', '\\/', '\\b', '\\f'],
    )
    const odd = fc.constantFrom(
      ...['\\r', '\\t', '\\x', '\\u12', '\\u00g0', '\\U0041', 'a', 'é', '😀', ' ', '\u007f'],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: piece }, odd), { maxLength: 12 }), pieces => {
        const text = `"${pieces.join('')}"`
        const reading = readJson(`["",${text}]`)
        const native = parsed(text)
        const isGood = native !== null && String(native.value).isWellFormed()
        expect(reading.kind).toBe(isGood ? 'read' : 'refused')
        if (reading.kind === 'read') expect(reading.value).toEqual(['', native?.value])
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('readJson keeps what JSON.parse loses', () => {
  it.each([
    '{"10":1,"2":2,"-1":3}',
    '{"__proto__":{"constructor":null},"constructor":1,"prototype":2,"toString":3}',
    '[12345678901234567890,1.0,1e3,-0,1E400,0.1,1e-7,9007199254740993]',
    '{"":"","é":"\u2028😀"}',
  ])('%s', text => {
    expect(compact(jsonIn(text))).toBe(text)
  })

  it('numbers that JavaScript writes the same way are plain numbers', () => {
    expect(jsonIn('[0,7,-3,0.25,123456789012345,1e21]')).toEqual([
      0,
      7,
      -3,
      0.25,
      123456789012345,
      new Numeral('1e21'),
    ])
  })
})

describe('a number', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(20))
    .map(([digits, places]) => {
      const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
      const whole = text.slice(0, text.length - places)
      return `${digits < 0n ? '-' : ''}${whole}${places > 0 ? `.${text.slice(text.length - places)}` : ''}`
    })
  const text = fc.oneof(decimal, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String))

  it('has the value JavaScript gives it and the digits it came with', () => {
    fc.assert(
      fc.property(text, source => {
        const value = jsonIn(source)
        expect(value instanceof Numeral ? value.value : value).toBe(Number(source))
        expect(value instanceof Numeral).toBe(String(Number(source)) !== source)
        expect(compact(value)).toBe(source)
      }),
      {
        numRuns: 20_000,
        examples: [['-0'], ['-0.0'], ['0.000001'], ['0.0000001'], ['-0.5'], ['0'], ['10'], ['1.10']].map(
          ([one]) => [one ?? ''],
        ) as [string][],
      },
    )
  })
})

describe('readJson refuses', () => {
  const refusal = (text: string) => {
    const reading = readJson(text)
    return reading.kind === 'refused' ? reading : null
  }

  it.each([
    ['{"a":1,"a":2}', 'repeat'],
    ['{"a":1,"\\u0061":2}', 'repeat'],
    ['{"__proto__":1,"__proto__":2}', 'repeat'],
    ['"\\ud800"', 'surrogate'],
    ['{"\\udc00":1}', 'surrogate'],
    ['"\\ud83d😀"', 'surrogate'],
    ['', 'ends too early'],
    [' ', 'ends too early'],
    ['{"a":', 'ends too early'],
    ['{"a"', 'ends too early'],
    ['{', 'ends too early'],
    ['[1', 'ends too early'],
    ['"ab', 'ends too early'],
    ['"ab\\', 'ends too early'],
    ['\ufeff1', 'expected a value'],
    ['[1,]', 'expected a value'],
    ['{"a":1,}', 'key'],
    ['{a:1}', 'key'],
    ['{"a" 1}', 'colon'],
    ['[1 2]', 'comma'],
    ['[1}', 'comma'],
    ['1 1', 'end of the document'],
    ['01', 'end of the document'],
    ['1.2.3', 'end of the document'],
    ['-x', 'digits'],
    ['nan', 'expected a value'],
    ['NaN', 'must not hold NaN'],
    ['[1,-Infinity]', 'must not hold NaN or Infinity'],
    ['"\n', 'end of a string'],
    ['{"a":"\\ud83d"', 'emoji'],
    ['{"a":1,"a":2', 'repeat'],
    ['"a\nb"', 'control'],
    ['"a\u001fb"', 'control'],
  ])('%j', (text, rule) => {
    expect(refusal(text)?.rule).toContain(rule)
  })

  it.each([
    ['["ab\u0001"]', 4],
    ['["ab', 4],
    ['"a\\x" 1', 5],
    ['{"a":1, "a":2}', 13],
    ['[1,\n  ]', 6],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{"a":-}', 5],
    ['1 1', 2],
  ])('%j and says at which character', (text, at) => {
    expect(refusal(text)?.at).toBe(at)
  })

  it('nesting one level past the cap, but no sooner', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(refusal(nested(MAX_DEPTH))).toBeNull()
    expect(refusal(nested(MAX_DEPTH + 1))).toEqual({
      kind: 'refused',
      rule: `must not nest deeper than ${MAX_DEPTH} levels`,
      at: MAX_DEPTH,
    })
  })

  it('one value or container past the caps, but no sooner', () => {
    const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`
    expect(refusal(zeros(MAX_NODES - CONTAINER_NODES))).toBeNull()
    expect(refusal(zeros(MAX_NODES - CONTAINER_NODES + 1))?.rule).toContain('keys and values')
    const empties = (count: number) => `[${'[],'.repeat(count - 1)}[]]`
    expect(refusal(empties(MAX_CONTAINERS - 1))).toBeNull()
    expect(refusal(empties(MAX_CONTAINERS))?.rule).toContain('arrays and objects')
  })

  it('one with more keys and values than its caller allows, arrays and objects counted as four', () => {
    // Two containers, two keys and two values that are none.
    const held = 2 * CONTAINER_NODES + 2 + 2
    const text = '{"a":1,"b":[2]}'
    expect(readJson(text, held).kind).toBe('read')
    expect(readJson(text, held - 1).kind).toBe('refused')
  })

  it('one that holds too much, with all that was read of it, however deep', () => {
    const text = '{"a":[1,{"b":[2,{"c":3,"d":4}]}],"e":5}'
    const asFarAsD = 5 * CONTAINER_NODES + 3 + 3
    const reading = readJson(text, asFarAsD)
    expect(reading).toMatchObject({ kind: 'refused', at: text.indexOf('"d"') })
    expect('soFar' in reading && compact(reading.soFar ?? null)).toBe('{"a":[1,{"b":[2,{"c":3}]}]}')
  })

  it('no calibration of the most examples allowed, each with a question of 45 options', () => {
    const criteria = Array.from({ length: 45 }, (_, option) => `"option${option}":null`).join(',')
    const question = `{"type":"choice","instructions":"Which?","criteria":{${criteria}},"label":"option7"}`
    const example = `{"state":"text","questions":{"q":${question}}}`
    expect(refusal(`{"examples":[${Array(5_000).fill(example).join(',')}]}`)).toBeNull()
  })

  it('one member past the cap of an object, but no sooner', () => {
    const members = (count: number) =>
      `{${Array.from({ length: count }, (_, key) => `"${key}":0`).join(',')}}`
    expect(refusal(members(MAX_MEMBERS))).toBeNull()
    expect(refusal(members(MAX_MEMBERS + 1))?.rule).toContain('members')
  })

  it('without quoting the text', () => {
    fc.assert(
      fc.property(mutatedText, text => {
        const rule = refusal(`{"canary-key":"canary-value",${text}`)?.rule ?? ''
        expect(rule).not.toContain('canary')
      }),
    )
  })
})
