import type { Ranges } from '../../backend/backend.ts'
import type { ScoreQuestion, ScoreUnit } from '../../protocol.ts'
import type { Tokenizer } from '../tokenizer/tokenizer.ts'
import { focusedRows } from './focus.ts'
import { locate } from './locate.ts'
import { type Path, pathsIn } from './path.ts'
import { type RenderedQuestion, renderQuestion } from './question.ts'
import { type RenderedState, renderState } from './state.ts'

export type RenderedUnit = {
  readonly state: RenderedState
  readonly questions: readonly { rendered: RenderedQuestion; focus: Ranges }[]
}

/** What of a unit is longer than the model reads; of questions, the first that is. */
export type TooLong = { tooLong: 'state' } | { tooLong: 'instructions'; question: number }

/** A unit as tokens, or why it cannot be read. */
export const renderUnit = (
  unit: ScoreUnit,
  tokenizer: Tokenizer,
  maxStateTokens: number,
): RenderedUnit | TooLong => {
  const rendered: RenderedQuestion[] = []
  for (const question of unit.questions) {
    const one = renderQuestion(question, tokenizer)
    if (one === null) break
    rendered.push(one)
  }
  // Paths are looked for only in instructions that are known to be short: each step of one takes memory.
  const short = rendered.length === unit.questions.length
  const paths = short && unit.state.form === 'json' ? unit.questions.map(pathsOf) : []
  const named = paths.flat()
  const state = renderState(unit.state, tokenizer, { limit: maxStateTokens, spans: named.length > 0 })
  if (state === null) return { tooLong: 'state' }
  if (!short) return { tooLong: 'instructions', question: rendered.length }

  const found = locate(unit.state.text, named)
  let used = 0
  const questions = rendered.map((rendered, index) => {
    const count = paths[index]?.length ?? 0
    const parts = found.slice(used, used + count).filter(part => part !== null)
    used += count
    return {
      rendered,
      focus: state.spans === null ? [] : focusedRows(parts, state.spans, state.markersBefore),
    }
  })
  return { state, questions }
}

const pathsOf = ({ instructions }: ScoreQuestion): Path[] =>
  instructions === null ? [] : pathsIn(instructions)
