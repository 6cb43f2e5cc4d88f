import { expect, it } from 'vitest'
import { INSTRUCTION } from './segments.ts'
import { outlineOf, Tally } from './tally.ts'

const shape = { layers: 1, heads: 1, headWidth: 2, width: 2, firstSide: 6 }
const question = {
  key: '',
  instruction: new Int32Array(2),
  options: [Int32Array.of(9, 1, 8), Int32Array.of(10, 8)],
  optionInstructionIncluded: [true, false],
  focus: [],
  scale: 0.5,
}
/** Segments: of each its first row, the sums of its rows and of what was found for them, and the most that was found. */
const rows = (first: number[], sums: number[], found: number[], most: number[]) => ({
  firsts: Float32Array.from(first),
  sums: Float64Array.from(sums),
  found: Float64Array.from(found),
  most: Float32Array.from(most),
})

it('means and maxima are over all of a text, also if it comes in blocks and nothing like it was found', () => {
  const tally = new Tally(outlineOf(question, shape), shape.width)
  tally.add({ question: 0, option: INSTRUCTION, length: 2 }, 0, rows([1, 2], [4, 6], [2, -2], [3, -1]))
  tally.add({ question: 0, option: 0, length: 2 }, 0, rows([5, 6], [10, 8], [4, -4], [3, -3]))
  const run = rows([7, 7, 8, 9], [1, 1, 2, 4], [2, -2, 6, -6], [2, -2, 4, -4])
  tally.add({ question: 0, option: 0, length: 1 }, 0, run)
  tally.add({ question: 0, option: 1, length: 2 }, 1, run)
  const { openings, options, found, told, sides, scale, count } = tally.readout()
  expect([...openings]).toEqual([5, 6, 8, 9])
  // The first option's mean includes the instruction: (4 + 10 + 1) / 5.
  expect([...options]).toEqual([3, 3, 1, 2])
  expect([...found]).toEqual([2, -2, 3, -2, 3, -3, 4, -4])
  expect([...told]).toEqual([1, -1, 3, -1])
  expect([[...sides], scale, count]).toEqual([[3, 4], 0.5, 2])
})

it('an instruction that is read again with other options counts once', () => {
  const tally = new Tally(outlineOf(question, shape), shape.width)
  for (const option of [0, 1]) {
    tally.add({ question: 0, option: INSTRUCTION, length: 2 }, 0, rows([1, 2], [4, 6], [2, -2], [3, -1]))
    tally.add({ question: 0, option, length: 2 }, 0, rows([5, 6], [12, 10], [4, -4], [1, -3]))
  }
  expect([...tally.readout().options]).toEqual([4, 4, 6, 5])
})
