import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MAX_DEPTH } from '../../../src/json/reader.ts'
import { MAX_STEPS, parsePath, pathsIn } from './path.ts'

describe('a backtick path', () => {
  it.each([
    ['a', ['a']],
    ['ticket.messages[0].text', ['ticket', 'messages', 0, 'text']],
    ['[2]["odd.name"].x', [2, 'odd.name', 'x']],
    ['["say \\"hi\\""]', ['say "hi"']],
    ['first name.größe', ['first name', 'größe']],
    ['["\\u00e9\\/"]', ['é/']],
    ['a[007]', ['a', 7]],
  ])('%s has the steps %j', (text, steps) => {
    expect(parsePath(text)).toEqual(steps)
  })

  it.each([
    '.a',
    'a.',
    'a..b',
    'a[',
    'a[-1]',
    'a[x]',
    'a]b',
    'a`b',
    'a\tb',
    'a["x"',
    '["\\x"]',
    'a[0]b',
    '["x"]y',
  ])('%s is not a path', text => {
    expect(parsePath(text)).toBeNull()
  })

  it('leads as deep as any state that the edge accepts, and no deeper', () => {
    const path = (steps: number) => Array.from({ length: steps }, () => 'a').join('.')
    expect(MAX_STEPS).toBeGreaterThanOrEqual(MAX_DEPTH)
    expect(parsePath(path(MAX_STEPS))).toHaveLength(MAX_STEPS)
    expect(parsePath(path(MAX_STEPS + 1))).toBeNull()
  })

  it('is found wherever instructions quote one, while prose is left alone', () => {
    expect(pathsIn('Is `a.b` newer than `c[1]`? Ignore `..` and `open')).toEqual([
      ['a', 'b'],
      ['c', 1],
    ])
    expect(pathsIn('no path ``, none\n`over\nlines`')).toEqual([])
    expect(pathsIn('5` long\n`a.b`')).toEqual([['a', 'b']])
    expect(pathsIn('`a\\u0062`')).toEqual([['a\\u0062']])
  })

  it('that is invalid never makes JSON.parse throw, which would take as long as a hundred paths', () => {
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    expect(pathsIn('`"` `\\x` `\\"\\x` `["\\x"]` `["\t"]` `["\\u12"]` `[\\"a.b\\"]` `["\\u0061"]`')).toEqual([
      ['\\x'],
      ['a.b'],
      ['a'],
    ])
    expect(parse.mock.results.filter(({ type }) => type === 'throw')).toEqual([])
  })
})
