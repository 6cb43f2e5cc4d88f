import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  BLOCK,
  MAX_ROWS,
  type Piece,
  pieceOfBlocks,
  pieceOfQuestion,
  pieceOfState,
  rowsOfEach,
  runOf,
} from './pieces.ts'

const tokens = (length: number) => fc.array(fc.nat(30_000), { minLength: length, maxLength: length })
const text = fc
  .integer({ min: 1, max: 20 })
  .chain(tokens)
  .map(ids => Int32Array.from(ids))
const piece = fc.oneof(
  text.map(pieceOfState),
  fc
    .record({ instruction: text, options: fc.array(text, { minLength: 1, maxLength: 9 }) })
    .map(({ instruction, options }) => pieceOfQuestion(instruction, options)),
  fc
    .array(text, { minLength: 1, maxLength: 9 })
    .map(all => pieceOfBlocks(all.map(ids => ({ ids, place: 0 })))),
)
const pieces = fc.array(piece, { minLength: 1, maxLength: 12 })

/** What a row sees, according to the run's columns, without the numbers that differ from run to run. */
const seenBy = (run: ReturnType<typeof runOf>, row: number) => {
  const size = run.ids.length / run.slots
  const slot = Math.floor(row / size) * size
  const rows = Array.from({ length: size }, (_, i) => slot + i)
  return rows
    .filter(other => run.own[other] === run.own[row] || run.own[other] === run.reads[row])
    .map(other => [run.ids[other], run.places[other]])
}

const partOf = (all: readonly Piece[], index: number) => {
  const run = runOf(all)
  const start = run.starts[index] ?? 0
  const rows = all[index]?.rows ?? 0
  return Array.from({ length: rows }, (_, i) => ({
    id: run.ids[start + i],
    place: run.places[start + i],
    sees: seenBy(run, start + i),
  }))
}

it('a piece has and sees the same rows in any run as in a run of its own', () => {
  fc.assert(
    fc.property(pieces, all => {
      for (const [index, own] of all.entries()) expect(partOf(all, index)).toEqual(partOf([own], 0))
    }),
    { numRuns: 60 },
  )
})

it('each piece gets its own rows of a run', () => {
  fc.assert(
    fc.property(pieces, all => {
      const run = runOf(all)
      // Two numbers a row: its token and its place.
      const rows = Float32Array.from([...run.ids].flatMap((id, row) => [id, run.places[row] ?? 0]))
      const expected = all.map(({ parts }) =>
        parts.flatMap(({ ids, place }) => [...ids].flatMap((id, at) => [id, place + at])),
      )
      expect(rowsOfEach(run, rows, 2).map(own => [...own])).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

it('no row is used twice, and no slot is longer than its longest piece', () => {
  fc.assert(
    fc.property(pieces, all => {
      const run = runOf(all)
      const used = all.flatMap(({ rows }, p) =>
        Array.from({ length: rows }, (_, i) => (run.starts[p] ?? 0) + i),
      )
      expect(new Set(used).size).toBe(used.length)
      expect(run.ids.length / run.slots).toBe(Math.max(...all.map(({ rows }) => rows)))
      expect(run.ids.length / run.slots).toBeLessThanOrEqual(MAX_ROWS)
    }),
    { numRuns: 60 },
  )
})

it('pieces that fill a slot together share it', () => {
  const states = [100, 128, 156, 256, 128].map(rows => pieceOfState(new Int32Array(rows)))
  expect(runOf(states).slots).toBe(3)
})

it('instructions, options and states have separate ranges of places, in which each text starts at the first', () => {
  const question = pieceOfQuestion(new Int32Array(3), [new Int32Array(2), new Int32Array(2)])
  const { places } = runOf([question, pieceOfState(new Int32Array(3))])
  expect([...places.subarray(0, 10)]).toEqual([0, 1, 2, BLOCK, BLOCK + 1, BLOCK, BLOCK + 1, 512, 513, 514])
})

it('options see their instruction, and blocks see only themselves', () => {
  const [told, first, second] = [Int32Array.of(1, 2), Int32Array.of(3), Int32Array.of(4)]
  expect(seenBy(runOf([pieceOfQuestion(told, [first, second])]), 2).map(([id]) => id)).toEqual([1, 2, 3])
  const blocks = pieceOfBlocks([told, first, second].map(ids => ({ ids, place: 0 })))
  expect(seenBy(runOf([blocks]), 2)).toEqual([[3, 0]])
})
