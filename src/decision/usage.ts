import type { Pass, UnitAnswer } from '../../scorer/protocol.ts'
import { NANODOLLARS_PER_DOLLAR } from '../money/nanodollars.ts'
import type { Usage } from './decision.ts'

/** $0.10 and $0.02 per million: whole nanodollars per token, so that no cost ever needs rounding. */
const NANODOLLARS_PER_TOKEN = 100
const NANODOLLARS_PER_CACHED_TOKEN = 20

export type Scored = Extract<UnitAnswer, { kind: 'scored' }>

/** What one or more scored states cost. A reversed pass counts as another pass; each state counts once. */
export const usageOf = (units: readonly Scored[]): Usage => {
  let state = 0
  let questions = 0
  let framing = 0
  let cached = 0
  for (const unit of units) {
    state += unit.stateTokens
    framing += unit.stateFramingTokens
    if (unit.cached) cached += unit.stateTokens
    const passes: (Pass | null)[] = unit.questions.flatMap(question => [question, question.reversed])
    for (const pass of passes) {
      questions += pass?.questionTokens ?? 0
      framing += pass?.framingTokens ?? 0
    }
  }
  const input = state + questions + framing
  return {
    input_tokens: input,
    state_tokens: state,
    question_tokens: questions,
    framing_tokens: framing,
    image_tokens: 0,
    cached_tokens: cached,
    output_tokens: 0,
    cost_usd: costNanodollars(input, cached) / NANODOLLARS_PER_DOLLAR,
  }
}

export const costNanodollars = (inputTokens: number, cachedTokens: number): number =>
  (inputTokens - cachedTokens) * NANODOLLARS_PER_TOKEN + cachedTokens * NANODOLLARS_PER_CACHED_TOKEN
