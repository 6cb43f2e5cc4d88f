import type { ScoreAnswer, ScoreUnit, UnitAnswer } from '../../scorer/protocol.ts'
import type { Scored } from '../decision/usage.ts'
import { Problem } from '../problem.ts'
import type { Scorer } from '../scorer/scorer.ts'

/** About a second of work for two processor cores, so that a few chunks at once stay far from their deadlines. */
const CHUNK_BYTES = 16_384
const CHUNKS_IN_FLIGHT = 4
const CHUNK_DEADLINE_MS = 10_000
const RETRY_PAUSE_MS = 1_000

export type Scoring = {
  scorer: Pick<Scorer, 'score'>
  pause: (ms: number) => Promise<void>
  /** Why a unit that the scorer will not score ends it all. */
  refuse: (answer: Exclude<UnitAnswer, Scored>, index: number) => Problem
}

/**
 * Scores every unit, answers in their order. Units go out in chunks bounded by bytes, made only when their turn
 * comes, a few under way at once; each chunk has its own deadline and is tried twice. The first refusal or
 * failure ends it all.
 */
export const scoreAll = async (units: Iterable<ScoreUnit>, scoring: Scoring): Promise<Scored[]> => {
  const scored: Scored[] = []
  // One iterator for all workers: whoever fails closes it for the others.
  const chunks = inChunks(units)
  const work = async (): Promise<void> => {
    for (const { first, chunk } of chunks) {
      const answer = await scoreTwice(chunk, scoring)
      for (const [offset, unit] of answer.units.entries()) {
        const index = first + offset
        if (unit.kind !== 'scored') throw scoring.refuse(unit, index)
        scored[index] = unit
      }
    }
  }
  await Promise.all(Array.from({ length: CHUNKS_IN_FLIGHT }, work))
  return scored
}

const scoreTwice = async (chunk: readonly ScoreUnit[], { scorer, pause }: Scoring): Promise<ScoreAnswer> => {
  const limit = { deadlineMs: CHUNK_DEADLINE_MS }
  try {
    return await scorer.score(chunk, limit)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'engine_timeout') throw error
    await pause(RETRY_PAUSE_MS)
    return await scorer.score(chunk, limit)
  }
}

function* inChunks(units: Iterable<ScoreUnit>): Generator<{ first: number; chunk: ScoreUnit[] }> {
  let chunk: ScoreUnit[] = []
  let first = 0
  let bytes = 0
  for (const unit of units) {
    const size = textLength(unit)
    if (chunk.length > 0 && bytes + size > CHUNK_BYTES) {
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

/** Near enough to the bytes a unit takes: what it holds besides texts is small and the same for every unit. */
const textLength = (unit: ScoreUnit): number => {
  let length = unit.state.text.length
  for (const question of unit.questions) {
    length += question.instructions?.length ?? 0
    if (question.type === 'noul') for (const side of question.sides) length += side?.length ?? 0
    if (question.type === 'score') for (const level of question.levels) length += level.length
    if (question.type === 'choice') {
      for (const [key, description] of question.options) length += key.length + (description?.length ?? 0)
    }
  }
  return length
}
