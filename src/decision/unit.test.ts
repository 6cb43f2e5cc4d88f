import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonIn, jsonOf } from '../testing/json.ts'
import { readDecisionRequest } from './request.ts'
import { unitOf } from './unit.ts'

/** What the scorer is told when a text is in both the state and the instructions. */
const told = (content: unknown) => {
  const request = { state: content, questions: { q: { type: 'noul', instructions: content } } }
  const read = readDecisionRequest(jsonOf(request))
  const { state, questions } = unitOf(read, { tenant: 't', snapshot: 's' })
  return { ...state, instructions: questions[0]?.instructions }
}

describe('what the scorer is told', () => {
  it('has spaces in place of line breaks and tabs in JSON, and keeps its length', () => {
    const unit = fc.constantFrom('a', 'n', '\\', '"', '\n', '\r', '\t', '\f', '\b', '\u0001')
    fc.assert(
      fc.property(fc.array(fc.string({ unit })), texts => {
        const json = JSON.stringify(texts)
        const text = json.replace(/\\(.)/g, (whole, named) => ('bfnrt'.includes(named) ? '  ' : whole))
        expect(told(texts)).toEqual({ form: 'json', text, instructions: text })
        expect(text.length).toBe(json.length)
      }),
    )
    expect(told({ 'a\nb': { c: '\\n\n' } }).text).toBe('{"a  b":{"c":"\\\\n  "}}')
  })

  it('is a string exactly as it was sent', () => {
    const text = 'a\nb\\n\t'
    expect(told(text)).toEqual({ form: 'text', text, instructions: text })
  })

  it.each(['7', 'false'])('is JSON if the state is %s', state => {
    const read = readDecisionRequest(jsonIn(`{"state":${state},"questions":{"q":{"type":"noul"}}}`))
    expect(unitOf(read, { tenant: 't', snapshot: 's' }).state).toEqual({ form: 'json', text: state })
  })
})
