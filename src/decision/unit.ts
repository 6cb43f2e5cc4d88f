import type { ScoreUnit, Text, UnitQuestion } from '../../scorer/protocol.ts'
import type { Json } from '../json/json.ts'
import { compact } from '../json/writer.ts'
import type { Question } from './question.ts'
import type { DecisionRequest } from './request.ts'

/** What the scorer is told about a request: content in the caller's own order, without question ids. */
export const unitOf = (
  { state, questions, orderInvariant }: Pick<DecisionRequest, 'state' | 'questions' | 'orderInvariant'>,
  to: Pick<ScoreUnit, 'tenant' | 'snapshot' | 'checkOnly'>,
): ScoreUnit => ({
  tenant: to.tenant,
  snapshot: to.snapshot,
  state: { form: typeof state === 'string' ? 'text' : 'json', text: writtenText(state) },
  questions: [...questions.values()].map(asked),
  reverse: orderInvariant,
  ...(to.checkOnly && { checkOnly: true }),
})

const asked = (question: Question): UnitQuestion => {
  const instructions = textOf(question.instructions)
  switch (question.type) {
    case 'choice': {
      const options = [...question.criteria].map(([key, description]): [string, Text | null] => [
        key,
        textOf(description),
      ])
      return { type: 'choice', instructions, options }
    }
    case 'noul': {
      const { true: whenTrue, false: whenFalse } = question.criteria
      return { type: 'noul', instructions, sides: [textOf(whenTrue), textOf(whenFalse)] }
    }
    case 'score':
      return { type: 'score', instructions, levels: question.criteria.map(writtenText) }
  }
}

const textOf = (content: Json): Text | null => (content === null ? null : writtenText(content))

/** What the model is given to read of a value. */
export const writtenText = (content: Json): Text =>
  typeof content === 'string' ? content : compact(content, legiblyQuoted)

/**
 * Replaces each line break and tab with as many spaces as its escape would have characters. In an escape, the letter
 * would be read as the first of the next word.
 */
const legiblyQuoted = (text: string): string => JSON.stringify(text.replace(ESCAPED_SPACE, '  '))
const ESCAPED_SPACE = /[\b\t\n\f\r]/g
