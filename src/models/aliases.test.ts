import { describe, expect, it } from 'vitest'
import { readAliases } from './aliases.ts'

describe('MODEL_ALIASES', () => {
  it.each([undefined, '', '{}'])('names none: %j', text => {
    expect(readAliases(text).size).toBe(0)
  })

  it('maps names to names', () => {
    expect([...readAliases('{"mine":"decider-1"}')]).toEqual([['mine', 'decider-1']])
  })

  it.each(['[', '[]', 'null', '"mine"', '{"mine":1}'])('is refused: %s', text => {
    expect(() => readAliases(text)).toThrow()
  })
})
