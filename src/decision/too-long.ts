import type { UnitAnswer } from '../../scorer/protocol.ts'
import { Problem } from '../problem.ts'
import { violation } from './violation.ts'

/**
 * What the scorer found longer than the model reads, told at its field; null where that is not why it did not score.
 * `above` is what state and questions stand under.
 */
export const tooLong = (
  answer: UnitAnswer | undefined,
  questionIds: Iterable<string>,
  above = '',
): Problem | null => {
  if (answer?.kind === 'state_too_long') {
    const param = `${above}state`
    const message = `${param} must hold at most ${answer.limit} tokens; nothing was cut or charged`
    return new Problem('state_too_long', message, { param })
  }
  if (answer?.kind === 'instructions_too_long') {
    const id = [...questionIds][answer.question]
    return violation(`${above}questions.${id}.instructions`, `must hold at most ${answer.limit} tokens`)
  }
  return null
}
