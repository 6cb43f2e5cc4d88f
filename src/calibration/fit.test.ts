import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { upperErrorBound } from './clopper-pearson.ts'
import { CONFIDENCE } from './error-bounds.ts'
import { crossFit, fitQuestion } from './fit.ts'
import { dealFolds } from './folds.ts'
import type { Label } from './label.ts'
import { judge, judgeAt, labelledRow, type Row } from './row.ts'
import { seededRandom } from './simulation/random.ts'
import { drawRows } from './simulation/world.ts'

const OVERCONFIDENT = { options: 4, separation: 4, overconfidence: 2.5, noise: 0.5, luck: 0 }
const nth = (index: number): Label => ({ name: String(index), index })
const figures = (report: object) => Object.values(report).filter(figure => figure !== null)

// Seconds of work, more on a busy machine.
describe('fitQuestion', { timeout: 60_000 }, () => {
  it('makes an overconfident model honest without changing what it answers', () => {
    const { before, after, rule } = fitQuestion(drawRows(OVERCONFIDENT, 1_000, seededRandom(1)), 0.05)
    expect(rule.temperature).toBeGreaterThan(2)
    expect(after.accuracy).toBe(before.accuracy)
    expect(after.ece).toBeLessThan(before.ece / 2)
    expect(after.nll).toBeLessThan(before.nll)
    expect(after.brier).toBeLessThan(before.brier)
    expect(Math.abs(after.mean_confidence - after.accuracy)).toBeLessThan(0.03)
  })

  it('reports raw probabilities as they are: all covered, no cutoff', () => {
    const { before } = fitQuestion(drawRows(OVERCONFIDENT, 200, seededRandom(2)), 0.05)
    expect(before).toMatchObject({ coverage: 1, cutoff: null, n: 200 })
  })

  it('reports what the shipped rule covers, and what is covered on unseen rows', () => {
    const { after, rule } = fitQuestion(drawRows(OVERCONFIDENT, 2_000, seededRandom(3)), 0.05)
    expect(after.cutoff).toBe(rule.cutoff)
    expect(after.temperature).toBe(rule.temperature)
    expect(after.coverage).toBeGreaterThan(0.3)
    expect(after.coverage_at_target_error).toBeGreaterThan(0.3)
    expect(after.error_when_covered).toBeLessThan(0.06)
  })

  it('certifies nothing for a target its examples cannot prove', () => {
    const { after, rule } = fitQuestion(drawRows(OVERCONFIDENT, 200, seededRandom(4)), 0.005)
    expect(rule.cutoff).toBeNull()
    expect(after).toMatchObject({
      cutoff: null,
      coverage: 0,
      coverage_at_target_error: 0,
      error_when_covered: null,
    })
  })

  it('never does worse than no temperature, beyond noise, and never changes accuracy', () => {
    const world = fc.record({
      options: fc.integer({ min: 2, max: 6 }),
      separation: fc.double({ min: 0.2, max: 8, noNaN: true }),
      overconfidence: fc.double({ min: 0.2, max: 5, noNaN: true }),
      noise: fc.double({ min: 0, max: 2, noNaN: true }),
      luck: fc.double({ min: 0, max: 0.3, noNaN: true }),
    })
    fc.assert(
      fc.property(world, fc.integer(), (world, seed) => {
        const { before, after } = fitQuestion(drawRows(world, 200, seededRandom(seed)), 0.05)
        expect(after.accuracy).toBe(before.accuracy)
        // One parameter costs about half a nat over all rows, five times out of fold.
        expect(after.nll).toBeLessThan(before.nll + 5 / 200)
      }),
      // Worlds are random, and one in some thousands exceeds the bound, so the seed is fixed.
      { numRuns: 60, seed: 1 },
    )
  })

  it('depends only on the rows, not on their order or the order of options', () => {
    const random = seededRandom(7)
    const cases = Array.from({ length: 150 }, (_, index) => ({
      group: `state ${index % 120}`,
      options: ['a', 'b', 'c'].map(name => ({ name, logit: 4 * random() })),
      label: ['a', 'b', 'c'][Math.floor(3 * random())] ?? 'a',
    }))
    const rowOf =
      (places?: number[]) =>
      ({ group, options, label }: (typeof cases)[number]): Row =>
        labelledRow(
          group,
          { name: label, index: options.findIndex(({ name }) => name === label) },
          options.map(({ logit }) => logit),
          places,
        )
    const turned = cases.map(one => ({ ...one, options: one.options.toReversed() })).toReversed()
    expect(fitQuestion(turned.map(rowOf()), 0.3)).toEqual(fitQuestion(cases.map(rowOf()), 0.3))
    expect(fitQuestion(turned.map(rowOf([2, 1, 0])), 0.3, true)).toEqual(
      fitQuestion(cases.map(rowOf([0, 1, 2])), 0.3, true),
    )
  })

  it('makes a model that leans towards one option right more often, if it may fit offsets', () => {
    const leaning = { ...OVERCONFIDENT, leaning: 6 }
    const rows = drawRows(leaning, 400, seededRandom(6))
    const { before, after, rule } = fitQuestion(rows, 0.1, true)
    const [first = 0, , , last = 0] = rule.offsets ?? []
    expect(last - first).toBeGreaterThan(4)
    expect(after.accuracy).toBeGreaterThan(before.accuracy + 0.03)
    const plain = fitQuestion(rows, 0.1).after
    expect(after.nll).toBeLessThan(plain.nll - 0.05)
    expect(after.coverage_at_target_error).toBeGreaterThan(plain.coverage_at_target_error)
    // Out of fold, so it must hold on cases that were never seen.
    const unseen = drawRows(leaning, 4_000, seededRandom(7)).map(row => judgeAt(row, rule))
    expect(Math.abs(unseen.filter(({ correct }) => correct).length / 4_000 - after.accuracy)).toBeLessThan(
      0.05,
    )
  })

  it('costs a model that does not lean little to fit offsets', () => {
    const rows = drawRows(OVERCONFIDENT, 400, seededRandom(8))
    const [plain, offset] = [false, true].map(offsets => fitQuestion(rows, 0.1, offsets).after)
    expect(Math.abs((plain?.nll ?? 0) - (offset?.nll ?? 1))).toBeLessThan(0.02)
    expect(Math.abs((plain?.accuracy ?? 0) - (offset?.accuracy ?? 1))).toBeLessThan(0.02)
  })

  it.each<[string, (index: number) => Row]>([
    ['one class', index => labelledRow(`s${index}`, nth(0), [index % 7, 3])],
    ['all wrong', index => labelledRow(`s${index}`, nth(1), [5, 1])],
    ['one option', index => labelledRow(`s${index}`, nth(0), [index])],
    ['one state', index => labelledRow('s', nth(index % 2), [2, 1])],
    ['contradictory copies', index => labelledRow(`s${index >> 1}`, nth(index % 2), [2, 1])],
    ['enormous logits', index => labelledRow(`s${index}`, nth(index % 2), [1e30, -1e30])],
    ['equal logits', index => labelledRow(`s${index}`, nth(index % 2), [1, 1])],
  ])('stays finite on %s, with and without offsets', (_, rowOf) => {
    const rows = Array.from({ length: 60 }, (_, index) => rowOf(index))
    for (const withOffsets of [false, true]) {
      const { before, after, rule } = fitQuestion(rows, 0.05, withOffsets)
      const { temperature, offsets = [] } = rule
      expect(offsets).toHaveLength(withOffsets ? (rows[0]?.logits.length ?? 0) : 0)
      for (const figure of [...figures(before), ...figures(after), temperature, ...offsets]) {
        expect(Number.isFinite(figure)).toBe(true)
      }
    }
  })

  it('certifies nothing from contradictory copies', () => {
    const rows = Array.from({ length: 400 }, (_, index) =>
      labelledRow(`s${index >> 1}`, nth(index % 2), [2, 1]),
    )
    expect(fitQuestion(rows, 0.1)).toMatchObject({ rule: { cutoff: null }, before: { accuracy: 0.5 } })
  })
})

/** Cases of a few kinds, all equally likely. All cases of a kind have the same logits. */
const ofKinds = (kinds: { gap: number; error: number }[], count: number, seed: number): Row[] =>
  drawRows(
    { options: 2, jitter: 0, kinds: kinds.map(kind => ({ ...kind, contenders: 2 })) },
    count,
    seededRandom(seed),
  )
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)

describe('the rule that ships', { timeout: 60_000 }, () => {
  const answeredBy = (rows: Row[], { temperature, cutoff }: { temperature: number; cutoff: number | null }) =>
    rows.map(row => judge(row, temperature)).filter(row => cutoff !== null && row.confidence >= cutoff)

  it.each([
    ['ties within and beyond the target', 0.2, [6, 0.04], [5, 0.42]],
    ['two kinds all but alike', 0.05, [5.02, 0.005], [5, 0.015]],
    ['one kind', 0.05, [5, 0.02], [5, 0.02]],
  ] as const)('is certified on everything it answers: %s', (_, targetError, one, other) => {
    for (const seed of SEEDS) {
      const rows = ofKinds(
        [one, other].map(([gap, error]) => ({ gap, error })),
        600,
        seed,
      )
      const { rule, after } = fitQuestion(rows, targetError)
      const answered = answeredBy(rows, rule)
      const wrong = answered.filter(({ correct }) => !correct).length
      expect(rule.cutoff === null, `seed ${seed}`).toBe(answered.length === 0)
      expect(after.coverage).toBe(answered.length / rows.length)
      if (answered.length === 0) continue
      expect(upperErrorBound(wrong, answered.length, CONFIDENCE)).toBeLessThanOrEqual(targetError)
    }
  })

  it('is certified on everything it answers, even if the order of confidences depends on the temperature', () => {
    for (const seed of SEEDS) {
      const rows = drawRows({ ...OVERCONFIDENT, options: 8 }, 300, seededRandom(seed))
      const answered = answeredBy(rows, fitQuestion(rows, 0.1).rule)
      const wrong = answered.filter(({ correct }) => !correct).length
      if (answered.length > 0) expect(upperErrorBound(wrong, answered.length, CONFIDENCE)).toBeLessThan(0.1)
    }
  })

  it('answers everything if all cases are alike and right often enough', () => {
    for (const seed of SEEDS) {
      const { rule, after } = fitQuestion(ofKinds([{ gap: 5, error: 0.005 }], 300, seed), 0.05)
      expect(rule.cutoff).not.toBeNull()
      expect(after).toMatchObject({ coverage: 1, coverage_at_target_error: 1 })
    }
  })

  it('is doubted if it certifies a target by never giving the rarer answer', () => {
    // A yes in every tenth case, for which the model only says no less surely.
    const rows = Array.from({ length: 300 }, (_, index) => {
      const yes = index % 10 === 0
      return labelledRow(`s${index}`, nth(yes ? 0 : 1), [0, yes ? 1 + (index % 3) : 3])
    })
    const { rule, doubts } = fitQuestion(rows, 0.1)
    expect(rule.cutoff).not.toBeNull()
    expect(doubts).toContainEqual(
      expect.stringMatching(/the same one; of 30 with another label, \d+ are let through wrongly$/),
    )
  })

  it('is tested in the orders of all folds where labels reach the order, and out of fold where they reach the answers', () => {
    const lists = (options: number, withOffsets: boolean) => {
      const rows = dealFolds(drawRows({ ...OVERCONFIDENT, options }, 60, seededRandom(9)), withOffsets)
      const { others, outOfFold } = crossFit(rows, withOffsets)
      return { orders: others.length, outOfFold: others.includes(outOfFold) }
    }
    expect(lists(2, false)).toEqual({ orders: 0, outOfFold: false })
    expect(lists(3, false)).toEqual({ orders: 5, outOfFold: false })
    expect(lists(2, true)).toEqual({ orders: 6, outOfFold: true })
    expect(lists(3, true)).toEqual({ orders: 6, outOfFold: true })
  })

  it('is not doubted, nor are its errors counted, for answers that offsets have put right', () => {
    // Whatever the case, the model says the first option.
    const rows = drawRows({ ...OVERCONFIDENT, options: 2, leaning: 60 }, 300, seededRandom(10))
    expect(fitQuestion(rows, 0.1).doubts).toContainEqual(expect.stringMatching(/commonest/))
    const { after, doubts } = fitQuestion(rows, 0.1, true)
    expect(doubts).toEqual([])
    expect(after.coverage_at_target_error).toBeGreaterThan(0.5)
    expect(after.error_when_covered).toBeLessThan(0.1)
  })

  it('gains no accuracy out of fold by offsets where there is nothing to learn', () => {
    // Whatever is answered, one answer in twenty is right. A fold with as much of each label as the others have would
    // let the commonest of them look better.
    const random = seededRandom(11)
    const chance = 1 / 20
    const accuracies = Array.from({ length: 40 }, () => {
      const rows = Array.from({ length: 100 }, (_, index) =>
        labelledRow(`s${index}`, nth(Math.floor(random() / chance)), Array(20).fill(0)),
      )
      return fitQuestion(rows, 0.4, true).after.accuracy
    })
    const mean = accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / accuracies.length
    expect(mean).toBeLessThan(1.1 * chance)
  })

  it('is doubted with offsets if the accuracy that it reports is no better than that of the commonest label', () => {
    const random = seededRandom(12)
    const fits = Array.from({ length: 30 }, () => {
      // The labels have nothing to do with the logits.
      const rows = Array.from({ length: 60 }, (_, index) =>
        labelledRow(
          `s${index}`,
          nth(Math.floor(4 * random())),
          [0, 1, 2, 3].map(() => 3 * random()),
        ),
      )
      return fitQuestion(rows, 0.1, true)
    })
    const useless = fits.map(({ after, curves }) => after.accuracy <= curves.commonest_label)
    expect(new Set(useless)).toEqual(new Set([true, false]))
    expect(fits.map(({ doubts }) => doubts.some(doubt => /the commonest one/.test(doubt)))).toEqual(useless)
  })

  it('is doubted if its offsets cost right answers out of fold', () => {
    // Each fold holds the only state with a label, so no other fold knows that the label occurs.
    const rows = Array.from({ length: 300 }, (_, index) => {
      const label = index % 5
      const logits = [0, 1, 2, 3, 4].map(option => (option === label ? 0.1 : 0))
      return labelledRow(`s${label}`, nth(label), logits)
    })
    expect(fitQuestion(rows, 0.1, true).doubts).toContainEqual(
      expect.stringMatching(/^offsets turn 300 right answers into wrong ones and 0 wrong ones/),
    )
  })

  it('is doubted if it makes probabilities worse, as a few sure but wrong labels do', () => {
    const rows = Array.from({ length: 300 }, (_, index) =>
      index < 4
        ? labelledRow(`s${index}`, nth(1), [90, 0])
        : labelledRow(`s${index}`, nth(index % 10 === 0 ? 1 : 0), [2, 0]),
    )
    const { before, after, doubts } = fitQuestion(rows, 0.1)
    expect(after.brier).toBeGreaterThan(before.brier + 0.01)
    expect(doubts).toContainEqual(
      expect.stringContaining(
        `the Brier score from ${before.brier.toFixed(3)} to ${after.brier.toFixed(3)}, out of fold`,
      ),
    )
  })

  it.each([
    ['without', false],
    ['with', true],
  ])('draws a curve that ends at the errors out of fold, %s offsets', (_, withOffsets) => {
    const rows = drawRows({ ...OVERCONFIDENT, options: 10, leaning: 3 }, 100, seededRandom(6))
    const { after, curves } = fitQuestion(rows, 0.1, withOffsets)
    expect(curves.selective.at(-1)?.error).toBeCloseTo(1 - after.accuracy, 12)
  })

  it.each([150, 1_000])('draws its curve through the cutoff, of %d rows', count => {
    const { after, curves } = fitQuestion(drawRows(OVERCONFIDENT, count, seededRandom(5)), 0.1)
    expect(after.coverage).toBeGreaterThan(0)
    expect(curves.selective.map(({ coverage }) => coverage)).toContain(after.coverage)
  })
})
