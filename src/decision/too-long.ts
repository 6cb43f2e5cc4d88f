import type { UnitAnswer } from '../../scorer/protocol.ts'
import type { Problem } from '../problem.ts'
import { Misfit, type Path } from './violation.ts'

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
    const rule = `must hold at most ${answer.limit} tokens; nothing was cut or charged`
    return new Misfit([...above, 'state'], rule, 'state_too_long')
  }
  if (answer?.kind === 'instructions_too_long') {
    const id = [...questionIds][answer.question] ?? ''
    return new Misfit([...above, 'questions', id, 'instructions'], `must hold at most ${answer.limit} tokens`)
  }
  return null
}
