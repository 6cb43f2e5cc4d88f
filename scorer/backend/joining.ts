import { type Piece, runOf } from './pieces.ts'
import type { Results, Step, WorkerStep } from './steps.ts'

/** A step waiting for a worker, and the callbacks for its result. */
export type WaitingStep = {
  readonly step: Step
  readonly settle: (result: Results[Step['kind']]) => void
  readonly fail: (fault: Error) => void
}

export type Joined = {
  readonly step: WorkerStep
  readonly settle: (result: Results[WorkerStep['kind']]) => void
  readonly fail: (fault: Error) => void
}

/** Runs longer than this are hardly more efficient. */
const ROWS_PER_RUN = 512

/**
 * Takes the first step off the queue. If it is a piece, other pieces join it in one run, whichever jobs they belong to,
 * as many as leave the other free workers their share.
 */
export const nextOf = (queue: WaitingStep[], freeWorkers: number): Joined | undefined => {
  const first = queue[0]
  if (first === undefined) return undefined
  if (first.step.kind === 'piece') return joinedPieces(queue, freeWorkers)
  queue.shift()
  return { step: first.step, settle: first.settle as Joined['settle'], fail: first.fail }
}

const joinedPieces = (queue: WaitingStep[], freeWorkers: number): Joined => {
  const all = queue.reduce((sum, { step }) => sum + (step.kind === 'piece' ? step.piece.rows : 0), 0)
  const most = Math.min(ROWS_PER_RUN, all / Math.max(1, freeWorkers))
  const taken: { readonly piece: Piece; readonly waiting: WaitingStep }[] = []
  const left: WaitingStep[] = []
  let rows = 0
  for (const waiting of queue) {
    const { step } = waiting
    if (step.kind === 'piece' && (rows === 0 || rows + step.piece.rows <= most)) {
      taken.push({ piece: step.piece, waiting })
      rows += step.piece.rows
    } else left.push(waiting)
  }
  queue.splice(0, queue.length, ...left)
  const run = runOf(taken.map(({ piece }) => piece))
  return {
    step: { kind: 'run', run },
    settle: result => {
      const rows = result as Results['run']
      for (const [index, { waiting }] of taken.entries()) waiting.settle(rows[index] ?? new Float32Array())
    },
    fail: fault => {
      for (const { waiting } of taken) waiting.fail(fault)
    },
  }
}
