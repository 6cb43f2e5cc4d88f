import { MAX_UNITS, type ScoreReply, type ScoreUnit, type UnitAnswer } from '../../scorer/protocol.ts'
import type { Scored } from '../decision/usage.ts'
import { Problem } from '../problem.ts'
import type { Scorer } from '../scorer/scorer.ts'
import { type ChunkSize, chunkSize } from './chunk-size.ts'
import { SideBySide } from './side-by-side.ts'

const CHUNKS_IN_FLIGHT = 4
const CHUNK_DEADLINE_MS = 10_000
const RETRY_PAUSE_MS = 1_000
/** Checking takes milliseconds on any scorer, so there is nothing to learn. */
const CHECKED_TOGETHER: ChunkSize = { bytes: () => 262_144, took: () => {} }

export type Scoring = {
  scorer: Pick<Scorer, 'score'>
  requestId: string
  now: () => number
  pause: (ms: number) => Promise<void>
  /** The Problem that ends everything if the scorer will not score a unit. */
  refuse: (answer: UnitAnswer, index: number) => Problem
}

/** Asks whether each unit, sent with `checkOnly`, is within the scorer's limits. The first that is not ends it. */
export const checkAll = (units: Iterable<ScoreUnit>, scoring: Scoring): Promise<void> =>
  askAll(units, scoring, CHECKED_TOGETHER, (answer, index) => {
    if (answer.kind !== 'within_limits') throw scoring.refuse(answer, index)
  })

/** Scores every unit and returns the answers in the same order. The first refusal or failure ends everything. */
export const scoreAll = async (units: Iterable<ScoreUnit>, scoring: Scoring): Promise<Scored[]> => {
  const scored: Scored[] = []
  await askAll(units, scoring, chunkSize(), (answer, index) => {
    if (answer.kind !== 'scored') throw scoring.refuse(answer, index)
    scored[index] = answer
  })
  return scored
}

/**
 * Sends units in chunks bounded by bytes and number, a few at a time. A chunk is made only when its turn comes, has its
 * own deadline and is retried once, alone: what the scorer could not do in time may have been these chunks together.
 */
const askAll = async (
  units: Iterable<ScoreUnit>,
  scoring: Scoring,
  size: ChunkSize,
  take: (answer: UnitAnswer, index: number) => void,
): Promise<void> => {
  // One iterator for all workers: one that fails closes it for the others.
  const chunks = inChunks(units, size.bytes)
  const floor = new SideBySide()
  const work = async (): Promise<void> => {
    for (const { first, chunk } of chunks) {
      const answer = await askTwice(chunk, size, scoring, floor)
      for (const [offset, unit] of answer.units.entries()) take(unit, first + offset)
    }
  }
  await Promise.all(Array.from({ length: CHUNKS_IN_FLIGHT }, work))
}

const askTwice = async (
  chunk: readonly ScoreUnit[],
  size: ChunkSize,
  { scorer, requestId, now, pause }: Scoring,
  floor: SideBySide,
): Promise<ScoreReply> => {
  const once = async (): Promise<ScoreReply> => {
    const start = now()
    const answer = await scorer.score(chunk, { deadlineMs: CHUNK_DEADLINE_MS, requestId })
    size.took(now() - start)
    return answer
  }
  try {
    return await floor.beside(once)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'engine_timeout') throw error
    size.took(CHUNK_DEADLINE_MS)
    await pause(RETRY_PAUSE_MS)
    return await floor.alone(once)
  }
}

function* inChunks(
  units: Iterable<ScoreUnit>,
  bytesAllowed: () => number,
): Generator<{ first: number; chunk: ScoreUnit[] }> {
  let chunk: ScoreUnit[] = []
  let first = 0
  let bytes = 0
  for (const unit of units) {
    const size = JSON.stringify(unit).length
    if (chunk.length === MAX_UNITS || (chunk.length > 0 && bytes + size > bytesAllowed())) {
      yield { first, chunk }
      first += chunk.length
      chunk = []
      bytes = 0
    }
    chunk.push(unit)
    bytes += size
  }
  if (chunk.length > 0) yield { first, chunk }
}
