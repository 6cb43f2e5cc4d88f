import type { UnitAnswer } from '../../scorer/protocol.ts'
import { isArray, isObject, type Json } from '../json/json.ts'
import type { Problem } from '../problem.ts'
import { Misfit, type Path } from './misfit.ts'

/**
 * What the scorer found longer than the model reads, told at its field; null where that is not why it did not score.
 * `above` is what state and questions stand under.
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

/** Throws where a state, or what was read of it, is longer than the model reads whatever its tokens are. */
export const refuseLongState = (state: Json | undefined, limit: number): void => {
  if (state !== undefined && roomAfter(state, limit) < 0) throw longState(['state'], limit)
}

/**
 * What a value leaves of so much room for keys and values, below 0 where it is not enough. Before each of them
 * stands a bracket, a comma or a colon, so each is a token at the least.
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
