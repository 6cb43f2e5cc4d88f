import type { Ranges } from '../../backend/backend.ts'
import type { ScoreUnit, UnitQuestion } from '../../protocol.ts'
import type { Tokenizer } from '../tokenizer/tokenizer.ts'
import { focusedRows } from './focus.ts'
import { locate } from './locate.ts'
import { type Path, pathsIn } from './path.ts'
import { type RenderedQuestion, renderQuestion } from './question.ts'
import { type RenderedState, renderState } from './state.ts'

type RenderedUnit = {
  readonly state: RenderedState
  readonly questions: readonly { question: UnitQuestion; rendered: RenderedQuestion; focus: Ranges }[]
}

/** Which part of a unit is longer than the model reads; for instructions, the first question affected. */
export type TooLong = { tooLong: 'state' } | { tooLong: 'instructions'; question: number }

/** A unit as tokens, or the part that is too long. */
export const renderUnit = (
  unit: ScoreUnit,
  tokenizer: Tokenizer,
  maxStateTokens: number,
): RenderedUnit | TooLong => {
  const read: { question: UnitQuestion; rendered: RenderedQuestion }[] = []
  for (const question of unit.questions) {
    const rendered = renderQuestion(question, tokenizer)
    if (rendered === null) break
    read.push({ question, rendered })
  }
  const hasParts = unit.state.form === 'json'
  // Only instructions that have proved short are searched for paths, because each step of a path takes memory.
  const asked = read.map(one => ({ ...one, paths: hasParts ? pathsOf(one.question) : [] }))
  const named = asked.flatMap(({ paths }) => paths)
  const state = renderState(unit.state, tokenizer, { limit: maxStateTokens, spans: named.length > 0 })
  if (state === null) return { tooLong: 'state' }
  if (read.length < unit.questions.length) return { tooLong: 'instructions', question: read.length }

  const found = locate(unit.state.text, named)
  let used = 0
  const questions = asked.map(({ question, rendered, paths }) => {
    const parts = found.slice(used, used + paths.length).filter(part => part !== null)
    used += paths.length
    const focus = state.spans === null ? [] : focusedRows(parts, state.spans, state.markersBefore)
    return { question, rendered, focus }
  })
  return { state, questions }
}

const pathsOf = ({ instructions }: UnitQuestion): Path[] =>
  instructions === null ? [] : pathsIn(instructions)
