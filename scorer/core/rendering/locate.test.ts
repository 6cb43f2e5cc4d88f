import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu-time.ts'
import { locate } from './locate.ts'
import { type PathStep, parsePath } from './path.ts'

const find = (value: unknown, path: string): string | null => {
  const json = JSON.stringify(value)
  const [span] = locate(json, [parsePath(path) ?? []])
  return span ? json.slice(...span) : null
}

describe('a path into a state', () => {
  const ticket = {
    id: 7,
    messages: [{ text: 'one, "two" {}[]' }, { text: 'three' }],
    'a.b': { '\\': true },
    e: [],
  }

  it.each([
    ['id', '7'],
    ['messages', JSON.stringify(ticket.messages)],
    ['messages[0].text', JSON.stringify(ticket.messages[0]?.text)],
    ['messages[1]', '{"text":"three"}'],
    ['["a.b"]', '{"\\\\":true}'],
    ['["a.b"]["\\\\"]', 'true'],
    ['e', '[]'],
  ])('%s finds its value', (path, source) => {
    expect(find(ticket, path)).toBe(source)
  })

  it.each([
    'nothing',
    'messages[2]',
    'messages["0"]',
    'messages.text',
    'id.x',
    'e[0]',
    '[0]',
    'messages[0].text[0]',
  ])('%s finds nothing', path => {
    expect(find(ticket, path)).toBeNull()
  })

  it('finds the last of several equal names, as a JSON parser does', () => {
    expect(locate('{"a":1,"a":22}', [['a']])).toEqual([[11, 13]])
  })

  it('finds a name with a line break in it, which the edge writes as two spaces', () => {
    expect(locate('{"Unit  price":1,"b":2}', [parsePath('["Unit\\nprice"]') ?? []])).toEqual([[15, 16]])
    expect(find({ 'Unit\nprice': 1 }, '["Unit\\nprice"]')).toBe('1')
  })

  it('finds every value of any JSON by its own path, all in one walk', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
        const json = JSON.stringify(value)
        const all = [...values(JSON.parse(json), [])]
        const spans = locate(
          json,
          all.map(({ path }) => path),
        )
        for (const [index, { value }] of all.entries()) {
          const span = spans[index]
          expect(span && json.slice(...span)).toBe(JSON.stringify(value))
        }
      }),
    )
  })

  it('terminates on text that is not JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\a1 ') }), text => {
        expect(locate(text, [['a'], [0], ['a', 0], [1, 'a']])).toHaveLength(4)
      }),
      // A name that is no JSON string, which chance rarely writes.
      { examples: [['{"\\a":1}']] },
    )
  })

  it('is found as quickly if its steps were chosen to collide in a Map', () => {
    // How V8 hashes a small number: https://github.com/v8/v8/blob/main/src/utils/utils.h (ComputeUnseededHash)
    const hash = (number: number): number => {
      let bits = ~number + (number << 15)
      bits ^= bits >>> 12
      bits += bits << 2
      bits ^= bits >>> 4
      bits = Math.imul(bits, 2_057)
      return bits ^ (bits >>> 16)
    }
    const meeting: PathStep[][] = []
    for (let number = 0; meeting.length < 20_000; number++) {
      if ((hash(number) & 0x3fff) === 0) meeting.push([number])
    }
    const timed = (paths: PathStep[][]): number => cpuMs(() => locate('[1,2]', paths))
    const usual = timed(meeting.map((_, at) => [at]))
    expect(timed(meeting)).toBeLessThan(5 * usual + 100)
  })

  it('walks a state and a path of a million brackets', () => {
    const depth = 1_000_000
    const json = `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"b":1}`
    const deep: PathStep[] = ['a', ...Array.from({ length: depth }, () => 0)]
    expect(locate(json, [['b'], deep.slice(0, -1)]).map(span => span && span[1] - span[0])).toEqual([1, 2])
  })
})

function* values(value: unknown, path: PathStep[]): Generator<{ path: PathStep[]; value: unknown }> {
  if (path.length > 0) yield { path, value }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* values(item, [...path, index])
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* values(item, [...path, key])
  }
}
