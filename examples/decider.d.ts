// The answer of `POST /v1/decisions`, for programs that call it without an SDK. Copy this file into your project.

/** How certain an answer is. Let it through only if `abstain` is false: null promises nothing. */
export type Certainty = {
  readonly calibrated: boolean
  readonly p_top: number
  readonly abstain: boolean | null
  readonly confidence_winning: number
  readonly confidence_normalized: number
}

type Sides = { readonly false: number; readonly true: number }
type ByOption = Readonly<Record<string, number>>

export type Answers = {
  readonly choice: {
    readonly type: 'choice'
    readonly choice: string
    readonly probabilities: ByOption
    readonly logits: ByOption
    readonly confidence: number
    readonly decider: Certainty
  }
  readonly noul: {
    readonly type: 'noul'
    readonly noul: number
    readonly probabilities: Sides
    readonly logits: Sides
    readonly decider: Certainty
  }
  readonly score: {
    readonly type: 'score'
    /** The expected level. `abstain` speaks for the most probable one. */
    readonly score: number
    readonly legend: Readonly<Record<string, string | object>>
    readonly probabilities: ByOption
    readonly logits: ByOption
    readonly confidence: number
    readonly decider: Certainty
  }
}

/** Of the questions asked, by id, with the type of each: `Decision<{ team: 'choice'; mood: 'score' }>`. */
export type Decision<Types extends Record<string, keyof Answers> = Record<string, keyof Answers>> = {
  readonly id: string
  readonly object: 'altdecisions.response'
  readonly model: string
  readonly answers: { readonly [Id in keyof Types]: Answers[Types[Id]] }
  readonly usage: {
    readonly input_tokens: number
    readonly state_tokens: number
    readonly question_tokens: number
    readonly framing_tokens: number
    readonly image_tokens: number
    readonly cached_tokens: number
    readonly output_tokens: number
    readonly cost_usd: number
  }
  readonly latency_ms: number
  readonly warnings?: readonly string[]
}
