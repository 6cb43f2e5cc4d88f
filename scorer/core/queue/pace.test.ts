import { describe, expect, it } from 'vitest'
import { Pace } from './pace.ts'

const TOKENS = 450
const TOOK_MS = 150

const setup = () => {
  let now = 0
  const pace = new Pace({ busyTokens: 512, windowTokens: 4_096, now: () => now })
  const work = (tookMs: number) => {
    const end = pace.begin(TOKENS)
    now += tookMs
    end('done')
  }
  return {
    pace,
    work,
    learn: () => {
      for (let i = 0; i < 50; i++) work(TOOK_MS)
    },
  }
}

describe('the pace of a lane', () => {
  it('is that of what was done in it', () => {
    const { pace, learn } = setup()
    expect(pace.msFor(TOKENS)).toBe(0)
    learn()
    expect(pace.msFor(TOKENS)).toBeCloseTo((TOOK_MS * TOKENS) / 512)
  })

  it('is right again soon after the clock was set back', () => {
    const { pace, work, learn } = setup()
    learn()
    const before = pace.msFor(TOKENS)
    work(-3_600_000)
    learn()
    expect(pace.msFor(TOKENS)).toBeGreaterThan(0.8 * before)
    expect(pace.msFor(TOKENS)).toBeLessThan(1.2 * before)
  })

  it('is learned though the first task took no time that could be measured', () => {
    const { pace, work, learn } = setup()
    work(0)
    learn()
    expect(pace.msFor(TOKENS)).toBeGreaterThan((0.8 * TOOK_MS * TOKENS) / 512)
  })
})
