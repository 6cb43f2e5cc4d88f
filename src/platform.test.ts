import { describe, expect, it } from 'vitest'
import { platform } from './platform.ts'

describe('random bytes', () => {
  it('come in the requested number, and never twice', () => {
    const drawn = Array.from({ length: 2_000 }, () => Buffer.from(platform.randomBytes(12)).toString('hex'))
    expect(drawn.every(hex => /^[0-9a-f]{24}$/.test(hex))).toBe(true)
    expect(new Set(drawn).size).toBe(drawn.length)
  })
})
