import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TokenisedQuestion } from './backend.ts'
import {
  BLOCK,
  INSTRUCTION,
  MAX_ROWS,
  type Pack,
  packsBeside,
  packsOfBlocks,
  type Selection,
} from './packing.ts'

const tokens = (length: number, first: number) => Int32Array.from({ length }, (_, i) => first + i)

const asked = fc
  .record({
    instruction: fc.integer({ min: 3, max: 128 }),
    options: fc.array(fc.integer({ min: 2, max: 128 }), { minLength: 1, maxLength: 40 }),
  })
  .map(
    ({ instruction, options }): TokenisedQuestion => ({
      key: '',
      instruction: tokens(instruction, 10_000),
      options: options.map((length, o) => tokens(length, 20_000 + 1000 * o)),
      optionInstructionIncluded: options.map(() => false),
      focus: [],
      scale: 1,
    }),
  )

const selected = (questions: TokenisedQuestion[]): Selection[] =>
  questions.map((question, index) => ({ index, question, options: [...question.options.keys()] }))

const rowsOf = (pack: Pack) => pack.ids.length / pack.slots

describe('packsBeside', () => {
  it('reads every option once, whole, in the slot of its own instruction', () => {
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 6 }), questions => {
        const seen: string[] = []
        for (const pack of packsBeside(selected(questions))) {
          expect(pack.ids.length).toBeLessThanOrEqual(MAX_ROWS)
          for (const [number, { question, option, start, length }] of pack.segments.entries()) {
            const source = questions[question]
            const ids = option === INSTRUCTION ? source?.instruction : source?.options[option]
            expect(pack.ids.slice(start, start + length)).toEqual(ids)
            expect(new Set(pack.own.slice(start, start + length))).toEqual(new Set([number]))
            if (option === INSTRUCTION) continue
            seen.push(`${question}.${option}`)
            const told = pack.segments[pack.reads[start] ?? -1]
            expect(told).toMatchObject({ question, option: INSTRUCTION })
            const slotOf = (row: number) => Math.floor(row / rowsOf(pack))
            expect(slotOf(told?.start ?? -1)).toBe(slotOf(start))
            expect(slotOf(start + length - 1)).toBe(slotOf(start))
          }
        }
        const expected = questions.flatMap((q, i) => [...q.options.keys()].map(o => `${i}.${o}`))
        expect(seen.toSorted()).toEqual(expected.toSorted())
      }),
    )
  })

  it('gives places that restart with each segment and tell options from instructions', () => {
    const question = { instruction: tokens(4, 1), options: [tokens(3, 50), tokens(2, 60)] }
    const whole = { ...question, key: '', optionInstructionIncluded: [false, false], focus: [], scale: 1 }
    const [pack] = packsBeside(selected([whole]))
    expect(pack?.places).toEqual(Int32Array.of(0, 1, 2, 3, BLOCK, BLOCK + 1, BLOCK + 2, BLOCK, BLOCK + 1))
    expect(pack?.reads).toEqual(Int32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0))
  })

  it('puts small questions into small slots, several to a run', () => {
    const small = { instruction: tokens(24, 1), options: [0, 1, 2, 3].map(o => tokens(9, 100 * o)) }
    const questions = Array.from({ length: 5 }, () => ({
      ...small,
      key: '',
      optionInstructionIncluded: [false, false, false, false],
      focus: [],
      scale: 1,
    }))
    expect([...packsBeside(selected(questions))].map(pack => [pack.slots, rowsOf(pack)])).toEqual([
      [4, 60],
      [1, 60],
    ])
  })
})

describe('a run', () => {
  it('takes as many slots as fit, whatever the size class', () => {
    const one = { instruction: tokens(27, 1), options: [0, 1, 2, 3].map(o => tokens(11, 100 * o)) }
    const questions = Array.from({ length: 4 }, () => ({
      ...one,
      key: '',
      optionInstructionIncluded: [false, false, false, false],
      focus: [],
      scale: 1,
    }))
    expect([...packsBeside(selected(questions))].map(pack => pack.slots)).toEqual([3, 1])
  })
})

describe('packsOfBlocks', () => {
  it('cuts long segments into blocks that see only themselves', () => {
    const packs = [
      ...packsOfBlocks(3, [
        [0, tokens(600, 1)],
        [1, tokens(5, 900)],
      ]),
    ]
    expect(packs.map(({ segments }) => segments.map(s => [s.option, s.length, s.opens]))).toEqual([
      [[0, 256, true]],
      [[0, 256, false]],
      [
        [0, 88, false],
        [1, 5, true],
      ],
    ])
    for (const pack of packs) expect(pack.reads).toEqual(pack.own)
  })
})
