import { describe, expect, it } from 'vitest'
import { bodyOf } from './examples.ts'

const defaults = { targetError: null, model: null }

describe('the request a file makes', () => {
  it('sends every line as it stands', () => {
    const line = '{"state":{"10":1,"2":1.0,"id":12345678901234567890},"questions":{}}'
    expect(bodyOf(`${line}\n${line}\n`, defaults).text).toBe(`{"examples":[${line},${line}],"curves":true}`)
  })

  it('skips empty lines, line ends of Windows and a byte order mark, and still counts lines', () => {
    const body = bodyOf('\uFEFF{}\r\n\r\n  \n{}', defaults)
    expect(body.text).toBe('{"examples":[{},{}],"curves":true}')
    expect([0, 1, 2].map(body.lineOf)).toEqual([1, 4, undefined])
  })

  it('names the line that is not JSON', () => {
    expect(() => bodyOf('{}\n{]\n', defaults)).toThrow('Line 2 ')
    expect(() => bodyOf('{},{}', defaults)).toThrow('Line 1 ')
  })

  it('carries target and model', () => {
    expect(JSON.parse(bodyOf('{}', { targetError: '0.02', model: 'a"b' }).text)).toEqual({
      examples: [{}],
      curves: true,
      target_error: 0.02,
      model: 'a"b',
    })
    expect(() => bodyOf('{}', { targetError: '0.02,"x":1', model: null })).toThrow('--target-error')
  })
})
