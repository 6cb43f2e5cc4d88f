import { describe, expect, it } from 'vitest'
import { type Ending, Pace } from './pace.ts'

const setup = () => {
  let now = 0
  const pace = new Pace({ busyTokens: 10, windowTokens: 1_000, lateFactor: 4, now: () => now })
  const run = (tokens: number, ms: number, ending: Ending) => {
    const end = pace.begin(tokens)
    now += ms
    end(ending)
  }
  return { pace, run, pass: (ms: number) => (now += ms) }
}

describe('the pace of a lane', () => {
  it('is not known before something is done', () => {
    const { pace, run } = setup()
    expect(pace.msFor(1_000)).toBe(0)
    run(100, 200, 'other')
    expect(pace.msFor(1_000)).toBe(0)
  })

  it('is what was learned, behind what is still to come of what is under way', () => {
    const { pace, run, pass } = setup()
    run(100, 200, 'done')
    expect(pace.msFor(50)).toBeCloseTo(100, 9)
    pace.begin(100)
    pass(150)
    expect(pace.msFor(50)).toBeCloseTo(50 + 100, 9)
    pass(1_000)
    expect(pace.msFor(50)).toBeCloseTo(100, 9)
  })

  it('says nothing of a full batch where the engine was not busy', () => {
    const { pace, run } = setup()
    run(1, 20, 'done')
    expect(pace.msFor(100)).toBeCloseTo(200, 9)
  })

  it('is learned from what runs together by its share', () => {
    const { pace, pass } = setup()
    const ends = [pace.begin(100), pace.begin(300)]
    pass(400)
    for (const end of ends) end('done')
    expect(pace.msFor(100)).toBeCloseTo(100, 9)
  })

  it.each<[string, number, Ending, number]>([
    ['what ran out of time was a quarter done', 200, 'late', 8],
    ['nothing is learned of what failed', 200, 'other', 2],
    ['a pause of the machine counts as four times the pace', 100_000, 'done', 8],
    ['what became quicker is so', 50, 'done', 0.5],
  ])('follows what comes: %s', (_, ms, ending, msPerToken) => {
    const { pace, run } = setup()
    run(100, 200, 'done')
    run(100, ms, ending)
    // What was learned a hundred tokens ago counts a little less.
    const before = ending === 'other' ? 1 : Math.exp(-0.1) / (Math.exp(-0.1) + 1)
    expect(pace.msFor(1)).toBeCloseTo(2 * before + msPerToken * (1 - before), 9)
  })

  it('never takes what ran out of time for quicker than what was done', () => {
    const { pace, run } = setup()
    run(100, 200, 'done')
    run(100, 10, 'late')
    expect(pace.msFor(1)).toBeCloseTo(2, 9)
  })

  it('is right again soon after the clock was set back', () => {
    const { pace, run } = setup()
    run(100, 200, 'done')
    run(100, -3_600_000, 'done')
    for (let i = 0; i < 50; i++) run(100, 200, 'done')
    expect(pace.msFor(1)).toBeGreaterThan(0.8 * 2)
    expect(pace.msFor(1)).toBeLessThan(1.2 * 2)
  })

  it('is learned though the first task took no time that could be measured', () => {
    const { pace, run } = setup()
    run(100, 0, 'done')
    for (let i = 0; i < 50; i++) run(100, 200, 'done')
    expect(pace.msFor(1)).toBeGreaterThan(0.8 * 2)
  })
})
