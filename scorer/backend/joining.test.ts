import { expect, it } from 'vitest'
import type { EncodedState } from './backend.ts'
import { nextOf, type WaitingStep } from './joining.ts'
import { pieceOfState } from './pieces.ts'
import type { Step } from './steps.ts'

const READOUT: Step = { kind: 'readout', questions: [], state: {} as EncodedState, focus: [] }

/** A queue of pieces with these numbers of rows, or of other steps for null. */
const setup = (lengths: readonly (number | null)[]) => {
  const settled: unknown[] = []
  const queue = lengths.map(
    (rows, n): WaitingStep => ({
      step: rows === null ? READOUT : { kind: 'piece', piece: pieceOfState(new Int32Array(rows).fill(n)) },
      settle: result => {
        settled[n] = result
      },
      fail: () => {},
    }),
  )
  /** Which of them go together in each run. */
  const runs = (freeWorkers: number) => {
    const all: (string | number[])[] = []
    for (let next = nextOf(queue, freeWorkers); next; next = nextOf(queue, freeWorkers)) {
      const { step } = next
      const { ids = new Int32Array(), starts = [] } = step.kind === 'run' ? step.run : {}
      all.push(step.kind === 'run' ? starts.map(start => ids[start] ?? -1) : step.kind)
    }
    return all
  }
  return { queue, settled, runs }
}

it('pieces share runs of up to 512 rows, whatever waits between them', () => {
  expect(setup([200, null, 200, 100, 100, 12]).runs(1)).toEqual([[0, 2, 3, 5], 'readout', [4]])
})

it('pieces are shared among the workers that are free', () => {
  expect(setup([100, 100, 100, 100]).runs(2)).toEqual([[0, 1], [2], [3]])
})

it('a piece that is more than a share is run all the same', () => {
  expect(setup([100]).runs(4)).toEqual([[0]])
})

it('each piece gets its own rows of the run', () => {
  const { queue, settled } = setup([1, 3, 2])
  const each = [1, 3, 2].map(rows => new Float32Array(rows))
  nextOf(queue, 1)?.settle(each)
  expect(settled).toEqual(each)
})
