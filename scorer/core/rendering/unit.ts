import type { Ranges } from '../../backend/backend.ts'
import type { ScoreUnit, UnitAnswer, UnitQuestion } from '../../protocol.ts'
import type { Tokenizer, Tokens } from '../tokenizer/tokenizer.ts'
import { focusedRows } from './focus.ts'
import { locate } from './locate.ts'
import { type Path, pathsIn } from './path.ts'
import {
  encodeInstructions,
  MAX_INSTRUCTION_TEXT_TOKENS,
  type RenderedQuestion,
  renderQuestion,
} from './question.ts'
import { type RenderedState, renderState } from './state.ts'

type RenderedUnit = {
  readonly state: RenderedState
  readonly questions: readonly { question: UnitQuestion; rendered: RenderedQuestion; focus: Ranges }[]
}

/** The parts of a unit that have a limit, as tokens. */
type LimitedParts = {
  readonly state: RenderedState
  readonly asked: readonly { question: UnitQuestion; instructions: Tokens }[]
}

/** The answer to a unit of which a part is longer than the model reads. */
type TooLong = Extract<UnitAnswer, { limit: number }>

/** Reads no more of a unit than may cause it to be refused: whoever is refused pays for nothing. */
export const limitedParts = (
  unit: ScoreUnit,
  tokenizer: Tokenizer,
  maxStateTokens: number,
): LimitedParts | TooLong => {
  const asked: { question: UnitQuestion; instructions: Tokens }[] = []
  for (const question of unit.questions) {
    const instructions = encodeInstructions(question, tokenizer)
    if (instructions === null) break
    asked.push({ question, instructions })
  }
  const spans = unit.state.form === 'json' && unit.questions.some(mayNamePaths)
  const state = renderState(unit.state, tokenizer, { limit: maxStateTokens, spans })
  if (state === null) return { kind: 'state_too_long', limit: maxStateTokens }
  if (asked.length < unit.questions.length)
    return { kind: 'instructions_too_long', question: asked.length, limit: MAX_INSTRUCTION_TEXT_TOKENS }
  return { state, asked }
}

/** A unit as tokens. Paths are looked for last, because each step of one takes memory. */
export const renderUnit = (
  { state: { text } }: ScoreUnit,
  { state, asked }: LimitedParts,
  tokenizer: Tokenizer,
): RenderedUnit => {
  const { spans, markersBefore } = state
  const naming = asked.map(one => ({ ...one, paths: spans === null ? [] : pathsOf(one.question) }))
  const found = locate(
    text,
    naming.flatMap(({ paths }) => paths),
  )
  let used = 0
  const questions = naming.map(({ question, instructions, paths }) => {
    const parts = found.slice(used, used + paths.length).filter(part => part !== null)
    used += paths.length
    const focus = spans === null ? [] : focusedRows(parts, spans, markersBefore)
    return { question, rendered: renderQuestion(question, instructions, tokenizer), focus }
  })
  return { state, questions }
}

const mayNamePaths = ({ instructions }: UnitQuestion): boolean => instructions?.includes('`') === true

const pathsOf = ({ instructions }: UnitQuestion): Path[] =>
  instructions === null ? [] : pathsIn(instructions)
