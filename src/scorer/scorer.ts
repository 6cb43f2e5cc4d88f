import type { ScoreReply, ScorerHealth, ScoreUnit } from '../../scorer/protocol.ts'
import type { ScorerFault } from '../fault.ts'
import { Problem } from '../problem.ts'

export type Catalogue = Pick<ScorerHealth, 'snapshots' | 'aliases'>

/** What the request path asks of the scorer, wherever it runs. */
export type Scorer = {
  /**
   * Scores every unit, or throws the Problem `engine_timeout`: late, unreachable, cut off, full and nonsense are all
   * the same to the caller. The answer has the shape that was asked for: as many units, questions and logits.
   * The request's id is for the log alone.
   */
  score(units: readonly ScoreUnit[], terms: { deadlineMs: number; requestId?: string }): Promise<ScoreReply>
  /** The scorer's health now, or why there is none. */
  health(): Promise<ScorerHealth | ScorerFault>
  /** The snapshots and aliases it serves, as last heard; null if it was never heard from. */
  catalogue(): Promise<Catalogue | null>
}

const RETRY_AFTER_SECONDS = 2

export const engineTimeout = (): Problem =>
  new Problem(
    'engine_timeout',
    'The inference engine did not answer in time, or has too much to do; nothing was charged.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  )
