import type { UnitAnswer } from '../../scorer/protocol.ts'
import { isArray, isObject, type Json } from '../json/json.ts'
import type { Problem } from '../problem.ts'
import { Misfit, type Path } from './misfit.ts'

/**
 * The refusal of what the scorer found to be longer than the model reads, naming its field; null if the answer is of
 * another kind. `above` is the path to the state and questions.
 */
export const tooLong = (
  answer: UnitAnswer | undefined,
  questionIds: Iterable<string>,
  above: Path = [],
): Problem | null => {
  if (answer?.kind === 'state_too_long') {
    return longState([...above, 'state'], answer.limit)
  }
  if (answer?.kind === 'instructions_too_long') {
    const id = [...questionIds][answer.question] ?? ''
    return new Misfit([...above, 'questions', id, 'instructions'], `must hold at most ${answer.limit} tokens`)
  }
  return null
}

/** Throws if a state, or the part of it that was read, is longer than the model reads whatever its tokens are. */
export const refuseLongState = (state: Json | undefined, limit: number): void => {
  if (state !== undefined && roomAfter(state, limit) < 0) throw longState(['state'], limit)
}

/**
 * How much of `room` for keys and values is left after a value; below 0 if there was not enough. A bracket, comma or
 * colon precedes each key or value, so each is at least one token.
 */
const roomAfter = (value: Json, room: number): number => {
  let left = room - 1 - (isObject(value) ? value.size : 0)
  const held = isObject(value) ? value.values() : isArray(value) ? value : []
  for (const one of held) {
    if (left < 0) break
    left = roomAfter(one, left)
  }
  return left
}

const longState = (path: Path, limit: number): Problem =>
  new Misfit(path, `must hold at most ${limit} tokens; nothing was truncated or charged`, 'state_too_long')
