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
  it('is not known before a task is done', () => {
    const { pace, run } = setup()
    expect(pace.msFor(1_000)).toBe(0)
    run(100, 200, 'other')
    expect(pace.msFor(1_000)).toBe(0)
  })

  it('adds the learned time to the time that the tasks under way still need', () => {
    const { pace, run, pass } = setup()
    run(100, 200, 'done')
    expect(pace.msFor(50)).toBeCloseTo(100, 9)
    pace.begin(100)
    pass(150)
    expect(pace.msFor(50)).toBeCloseTo(50 + 100, 9)
    pass(1_000)
    expect(pace.msFor(50)).toBeCloseTo(100, 9)
  })

  it('does not assume that a full batch is as slow per token as a single small task', () => {
    const { pace, run } = setup()
    run(1, 20, 'done')
    expect(pace.msFor(100)).toBeCloseTo(200, 9)
  })

  it('counts tasks that run together by their share', () => {
    const { pace, pass } = setup()
    const ends = [pace.begin(100), pace.begin(300)]
    pass(400)
    for (const end of ends) end('done')
    expect(pace.msFor(100)).toBeCloseTo(100, 9)
  })

  it.each<[string, number, Ending, number]>([
    ['a task that ran out of time counts as a quarter done', 200, 'late', 8],
    ['a failed task teaches nothing', 200, 'other', 2],
    ['a pause of the machine counts as four times the pace', 100_000, 'done', 8],
    ['a quicker task quickens the pace', 50, 'done', 0.5],
  ])('learns from how a task ends: %s', (_, ms, ending, msPerToken) => {
    const { pace, run } = setup()
    run(100, 200, 'done')
    run(100, ms, ending)
    // What was learned a hundred tokens ago counts for a little less.
    const before = ending === 'other' ? 1 : Math.exp(-0.1) / (Math.exp(-0.1) + 1)
    expect(pace.msFor(1)).toBeCloseTo(2 * before + msPerToken * (1 - before), 9)
  })

  it('never assumes that a task that ran out of time was quicker than one that was done', () => {
    const { pace, run } = setup()
    run(100, 200, 'done')
    run(100, 10, 'late')
    expect(pace.msFor(1)).toBeCloseTo(2, 9)
  })

  it('is learned even if the first task took no measurable time', () => {
    const { pace, run } = setup()
    run(100, 0, 'done')
    for (let i = 0; i < 50; i++) run(100, 200, 'done')
    expect(pace.msFor(1)).toBeGreaterThan(0.8 * 2)
  })
})
