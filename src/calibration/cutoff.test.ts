import { describe, expect, it } from 'vitest'
import { acceptancePrefixes, certifyCutoff } from './cutoff.ts'
import type { Judged } from './row.ts'

const row = (confidence: number, correct: boolean, group = `${Math.random()}`): Judged => ({
  group,
  confidence,
  correct,
  nll: 0,
  brier: 0,
})
const certify = (judged: Judged[], targetError: number) => certifyCutoff(judged, [], targetError)
/** `count` rows from `from` downwards, all with different confidences. */
const run = (count: number, from: number, correct: boolean): Judged[] =>
  Array.from({ length: count }, (_, index) => row(from - index * 1e-5, correct))

describe('certifyCutoff', () => {
  it('accepts everything when everything is right', () => {
    expect(certify(run(200, 0.9, true), 0.05)).toBeCloseTo(0.9 - 199e-5, 10)
  })

  it('accepts nothing when everything is wrong, or when there are no rows', () => {
    expect(certify(run(200, 0.9, false), 0.05)).toBeNull()
    expect(certify([], 0.05)).toBeNull()
  })

  it('accepts nothing when there are too few examples to certify anything', () => {
    expect(certify(run(44, 0.9, true), 0.05)).toBeNull()
    expect(certify(run(45, 0.9, true), 0.05)).not.toBeNull()
  })

  it('accepts nothing for a target that no number of examples could prove, and says so at once', () => {
    for (const target of [1e-9, 1e-300, Number.MIN_VALUE]) {
      expect(certify(run(5_000, 0.9, true), target)).toBeNull()
    }
  })

  it('forgives a few confident mistakes, more among thousands than among hundreds', () => {
    const mistaken = (mistakes: number, right: number) =>
      certify([...run(mistakes, 0.99, false), ...run(right, 0.9, true)], 0.05)
    expect(mistaken(1, 400)).not.toBeNull()
    expect(mistaken(2, 400)).toBeNull()
    // It takes 306 states to forgive ten errors, which is a fifth of 1,530.
    expect(mistaken(10, 1_520)).not.toBeNull()
    expect(mistaken(10, 1_519)).toBeNull()
    // It takes 330 to forgive eleven, which is a tenth of 3,291, rounded up.
    expect(mistaken(11, 3_280)).not.toBeNull()
    expect(mistaken(11, 3_279)).toBeNull()
  })

  it('stops where errors begin', () => {
    const cutoff = certify([...run(300, 0.9, true), ...run(300, 0.5, false)], 0.05)
    expect(cutoff).toBeGreaterThan(0.49)
    expect(cutoff).toBeLessThan(0.9)
  })

  it('stops at the first failure, however good what follows is', () => {
    const spoiltTop = [...run(60, 0.99, false), ...run(5_000, 0.9, true)]
    expect(spoiltTop.filter(({ correct }) => !correct).length / spoiltTop.length).toBeLessThan(0.05)
    expect(certify(spoiltTop, 0.05)).toBeNull()
  })

  it('takes ties whole, whether that helps or not', () => {
    const tied = (right: number, wrong: number) => [
      ...run(100, 0.9, true),
      ...Array.from({ length: right }, () => row(0.5, true)),
      ...Array.from({ length: wrong }, () => row(0.5, false)),
    ]
    expect(certify(tied(100, 0), 0.05)).toBeCloseTo(0.5, 10)
    expect(certify(tied(60, 40), 0.05)).toBeGreaterThan(0.8)
    // All rows have one confidence: all or nothing.
    expect(
      certify(
        Array.from({ length: 200 }, (_, index) => row(0.7, index > 2)),
        0.05,
      ),
    ).toBeCloseTo(0.7, 10)
    expect(
      certify(
        Array.from({ length: 200 }, (_, index) => row(0.7, index > 60)),
        0.05,
      ),
    ).toBeNull()
  })

  it('treats confidences that a decision cannot tell apart as ties', () => {
    // 28 and 30 nats between two options: different in the last bits, but the same to a decision.
    const [surest, sure] = [1 / (1 + Math.exp(-30)), 1 / (1 + Math.exp(-28))]
    expect(surest).toBeGreaterThan(sure)
    const rows = [
      ...Array.from({ length: 100 }, () => row(surest, true)),
      ...Array.from({ length: 100 }, (_, index) => row(sure, index > 60)),
    ]
    expect(certify(rows, 0.05)).toBeNull()
  })

  it('goes no further than every order of the same rows allows', () => {
    const [good, bad] = [run(100, 0.9, true), run(100, 0.5, false)]
    const shipped = [...good, ...bad]
    const turned = shipped.map(judged => ({ ...judged, confidence: 1.4 - judged.confidence }))
    expect(certifyCutoff(shipped, [shipped], 0.05)).toBe(certify(shipped, 0.05))
    expect(certifyCutoff(shipped, [turned], 0.05)).toBeNull()
    expect(certifyCutoff(turned, [shipped], 0.05)).toBeNull()
  })

  it('gives its cutoff on the scale of the first order', () => {
    const rows = run(200, 0.9, true)
    const sharper = rows.map(judged => ({ ...judged, confidence: judged.confidence ** 0.5 }))
    expect(certifyCutoff(rows, [sharper], 0.05)).toBe(certify(rows, 0.05))
  })

  it('does not let copies of a state count as evidence', () => {
    const once = Array.from({ length: 20 }, (_, index) => row(0.9 - index * 1e-3, true, `state ${index}`))
    const copies = Array.from({ length: 50 }, () => once).flat()
    expect(certify(copies, 0.05)).toBeNull()
    expect(certify(run(1_000, 0.9, true), 0.05)).not.toBeNull()
  })

  it('does not let states that are wrong once each hide among their own copies', () => {
    const copies = (states: number, wrong: number) =>
      Array.from({ length: states }, (_, state) =>
        Array.from({ length: 20 }, (_, copy) => row(0.9, state >= wrong || copy > 0, `state ${state}`)),
      ).flat()
    // Of the rows, one in two hundred is wrong; of the states, one in ten.
    expect(certify(copies(200, 20), 0.05)).toBeNull()
    expect(certify(copies(200, 2), 0.05)).not.toBeNull()
  })

  it('does not let one state that is often wrong hide among many that are right', () => {
    const often = Array.from({ length: 400 }, () => row(0.99, false, 'the same'))
    expect(certify([...often, ...run(400, 0.9, true)], 0.05)).toBeNull()
  })

  it('still accepts an equal confidence whose last digits were rounded otherwise', () => {
    const cutoff = certify(run(200, 0.9, true), 0.05) ?? 1
    expect(0.9 - 199e-5 - 2 * Number.EPSILON).toBeGreaterThanOrEqual(cutoff)
  })
})

describe('acceptancePrefixes', () => {
  it('counts rows and states, right and wrong, down to each distinct confidence', () => {
    const prefixes = acceptancePrefixes([
      row(0.5, false, 'b'),
      row(0.9, true, 'a'),
      row(0.5, true, 'b'),
      row(0.4, true, 'c'),
    ])
    expect(prefixes).toEqual([
      { threshold: 0.9, rows: 1, wrongRows: 0, states: 1, wrongStates: 0 },
      { threshold: 0.5, rows: 3, wrongRows: 1, states: 2, wrongStates: 1 },
      { threshold: 0.4, rows: 4, wrongRows: 1, states: 3, wrongStates: 1 },
    ])
  })
})
