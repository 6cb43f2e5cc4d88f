import { describe, expect, it } from 'vitest'
import { jsonIn } from '../testing/json.ts'
import { refuseLongState } from './too-long.ts'

describe('a state that was read only in part', () => {
  it.each([
    ['"two words"', 1],
    ['[0,0]', 3],
    ['{"a":0,"b":[]}', 5],
  ])('is too long if %s is to be read in fewer than %i tokens', (state, tokens) => {
    expect(() => refuseLongState(jsonIn(state), tokens)).not.toThrow()
    expect(() => refuseLongState(jsonIn(state), tokens - 1)).toThrow(
      `state must hold at most ${tokens - 1} tokens`,
    )
  })
})
