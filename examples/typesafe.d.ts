// What this service adds to the types of `@typesafe-ai/sdk` 0.6. Copy this file and `decider.d.ts` into your project.
import type { ChoiceCriteria, Questions, ScoreCriteria, ScoreOf } from '@typesafe-ai/sdk'
import type { Answers, Certainty } from './decider.d.ts'

declare module '@typesafe-ai/sdk' {
  interface SystemOneRequest<Q extends Questions = Questions> {
    /** A profile from `POST /v1/calibrations`. */
    x_calibration?: string | null
    x_order_invariant?: boolean
  }

  interface NoulResponse {
    readonly x_probabilities: Answers['noul']['probabilities']
    readonly x_logits: Answers['noul']['logits']
    readonly x_decider: Certainty
  }

  interface ChoiceResponse<T extends ChoiceCriteria = ChoiceCriteria> {
    readonly x_logits: { readonly [label in keyof T]: number }
    readonly x_decider: Certainty
  }

  interface ScoreResponse<T extends ScoreCriteria = ScoreCriteria> {
    readonly x_logits: { readonly [score in ScoreOf<T>]: number }
    readonly x_decider: Certainty
  }

  interface Usage {
    readonly x_state_tokens: number
    readonly x_question_tokens: number
    readonly x_framing_tokens: number
    readonly x_image_tokens: number
    readonly x_cached_tokens: number
    readonly x_cost_usd: number
  }

  interface SystemOneResult<Q extends Questions> {
    readonly x_id: string
    readonly x_latency_ms: number
    readonly x_warnings?: readonly string[]
  }
}
