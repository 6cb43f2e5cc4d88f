import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { focusedRows } from './focus.ts'

const spansOf = (pairs: [number, number][]) => ({
  starts: Int32Array.from(pairs, ([start]) => start),
  ends: Int32Array.from(pairs, ([, end]) => end),
})

describe('the rows in focus', () => {
  const spans = spansOf([
    [0, 3],
    [4, 6],
    [6, 8],
    [6, 8],
    [9, 12],
  ])

  it('are the tokens that overlap a part, offset by the markers before them', () => {
    expect(focusedRows([[4, 6]], spans, 2)).toEqual([[3, 4]])
    expect(focusedRows([[5, 10]], spans, 2)).toEqual([[3, 7]])
    expect(focusedRows([[3, 4]], spans, 2)).toEqual([])
  })

  it('are one range for parts that touch or overlap', () => {
    expect(
      focusedRows(
        [
          [6, 8],
          [0, 2],
          [4, 6],
          [4, 5],
        ],
        spans,
        0,
      ),
    ).toEqual([[0, 4]])
  })

  it('match the definition, whatever the parts', () => {
    const tokens = fc
      .array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 })), { maxLength: 30, size: 'max' })
      .map(steps => {
        let at = 0
        return steps.map(([gap, length]): [number, number] => {
          const start = at + gap
          at = start + length
          return [start, at]
        })
      })
    const part = fc
      .tuple(fc.nat(100), fc.integer({ min: 1, max: 20 }))
      .map(([a, n]): [number, number] => [a, a + n])
    fc.assert(
      fc.property(tokens, fc.array(part, { maxLength: 5 }), (pairs, parts) => {
        const rows = focusedRows(parts, spansOf(pairs), 0).flatMap(([from, to]) =>
          Array.from({ length: to - from }, (_, i) => from + i),
        )
        const expected = pairs.flatMap(([start, end], i) =>
          parts.some(([a, b]) => start < b && end > a) ? [i] : [],
        )
        expect(rows).toEqual(expected)
      }),
    )
  })
})
