import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dealFolds, FOLDS, type FoldedRow } from './folds.ts'
import { labelledRow, type Row } from './row.ts'

const row = (group: string, label: number): Row =>
  labelledRow(group, { name: String(label), index: label }, [3, 2, 1, 0])
const rows = fc.array(
  fc
    .tuple(fc.integer({ max: 40, min: 0 }), fc.integer({ max: 3, min: 0 }))
    .map(([group, label]) => row(`s${group}`, label)),
  { minLength: 1, maxLength: 120 },
)
const count = (folded: readonly FoldedRow[], of: (row: FoldedRow) => boolean): number[] =>
  Array.from({ length: FOLDS }, (_, fold) => folded.filter(row => row.fold === fold && of(row)).length)

describe('dealFolds', () => {
  it('never splits a state', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (dealt, withOffsets) => {
        const folded = dealFolds(dealt, withOffsets)
        const placements = new Set(folded.map(({ group, fold }) => `${group} in ${fold}`))
        expect(placements.size).toBe(new Set(dealt.map(({ group }) => group)).size)
      }),
    )
  })

  it('deals the same rows alike, whatever their order', () => {
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat()), fc.boolean(), (dealt, keys, withOffsets) => {
        const shuffled = dealt
          .map(row => ({ row, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
        const again = shuffled.map(({ row }) => row)
        expect(dealFolds(again, withOffsets)).toEqual(dealFolds(dealt, withOffsets))
      }),
    )
  })

  it('spreads every label evenly when all states differ', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ max: 3, min: 0 }), { minLength: 5, maxLength: 200, size: 'max' }),
        labels => {
          const folded = dealFolds(labels.map((label, index) => row(`s${index}`, label)))
          for (const label of new Set(labels)) {
            const perFold = count(folded, row => row.label === String(label))
            expect(Math.max(...perFold) - Math.min(...perFold)).toBeLessThanOrEqual(1)
          }
          const sizes = count(folded, () => true)
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(new Set(labels).size)
        },
      ),
    )
  })

  it('spreads every label of a state evenly, not only the first', () => {
    const twice = Array.from({ length: 150 }, (_, index) => [
      row(`s${index}`, 0),
      row(`s${index}`, 1 + (index % 3)),
    ])
    const folded = dealFolds(twice.flat())
    for (const label of ['1', '2', '3'])
      expect(count(folded, row => row.label === label)).toEqual([10, 10, 10, 10, 10])
  })

  it('spreads labels no more evenly than chance would for offsets, in folds of the same size', () => {
    const folded = dealFolds(
      Array.from({ length: 200 }, (_, index) => row(`s${index}`, index % 4)),
      true,
    )
    expect(count(folded, () => true)).toEqual([40, 40, 40, 40, 40])
    // Chi-squared of (4 - 1)(5 - 1) degrees of freedom: twelve by chance, none if they are spread evenly.
    const unevenness = ['0', '1', '2', '3']
      .flatMap(label => count(folded, row => row.label === label))
      .reduce((sum, dealt) => sum + (dealt - 10) ** 2 / 10, 0)
    expect(unevenness).toBeGreaterThan(4)
  })

  it('makes folds of nearly equal size, even though the rows of a state stay together', () => {
    const states = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 20, size: 'max' })
    fc.assert(
      fc.property(states, sizes => {
        const together = sizes.flatMap((size, index) =>
          Array.from({ length: size }, () => row(`s${index}`, 0)),
        )
        const single = Array.from({ length: 100 }, (_, index) => row(`single ${index}`, 0))
        const folded = count(dealFolds([...together, ...single]), () => true)
        expect(Math.max(...folded) - Math.min(...folded)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('makes folds of nearly equal size, even if one row of every label is left over', () => {
    const left = (name: string) =>
      count(
        dealFolds(Array.from({ length: 104 }, (_, index) => row(`${name} ${index}`, index % 4))),
        () => true,
      )
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const sizes = left(name)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2)
    }
  })

  it('is shuffled by the data: other states, other folds', () => {
    const dealt = (prefix: string) =>
      dealFolds(Array.from({ length: 100 }, (_, index) => row(`${prefix}${index}`, 0))).map(
        ({ fold }) => fold,
      )
    expect(dealt('a')).not.toEqual(dealt('b'))
    expect(new Set(dealt('a'))).toEqual(new Set([0, 1, 2, 3, 4]))
  })

  it('keeps one state in one fold even if it is the only state', () => {
    expect(
      new Set(dealFolds(Array.from({ length: 60 }, () => row('only', 1))).map(({ fold }) => fold)).size,
    ).toBe(1)
  })
})
