import type { ScoreUnit } from '../../protocol.ts'
import type { Tokenizer } from '../tokenizer/tokenizer.ts'
import { focusedRows, type Range } from './focus.ts'
import { locate } from './locate.ts'
import { pathsIn } from './path.ts'
import { type RenderedQuestion, renderQuestion } from './question.ts'
import { type RenderedState, renderState } from './state.ts'

export type RenderedUnit = {
  readonly state: RenderedState
  readonly questions: readonly { rendered: RenderedQuestion; focus: readonly Range[] }[]
}

/** A unit as tokens; null where its state is longer than the model reads. */
export const renderUnit = (
  unit: ScoreUnit,
  tokenizer: Tokenizer,
  maxStateTokens: number,
): RenderedUnit | null => {
  const paths = unit.questions.map(({ instructions }) =>
    unit.state.form === 'json' && instructions !== null ? pathsIn(instructions) : [],
  )
  const named = paths.flat()
  const state = renderState(unit.state, tokenizer, { limit: maxStateTokens, spans: named.length > 0 })
  if (state === null) return null

  const found = locate(unit.state.text, named)
  let used = 0
  const questions = unit.questions.map((question, index) => {
    const count = paths[index]?.length ?? 0
    const parts = found.slice(used, used + count).filter(part => part !== null)
    used += count
    return {
      rendered: renderQuestion(question, tokenizer),
      focus: state.spans === null ? [] : focusedRows(parts, state.spans, state.markersBefore),
    }
  })
  return { state, questions }
}
