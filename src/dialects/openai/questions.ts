import { Misfit } from '../../decision/misfit.ts'
import type { Content, Question } from '../../decision/question.ts'
import { KeyedByCaller } from '../../json/keyed-by-caller.ts'
import type { Choice, OpenAIQuestion } from './request.ts'
import { contentOf } from './state.ts'

type ChoiceValue = string | boolean

/** A question as the core reads it, and what is needed to write its answer. */
export type Posed =
  | { type: 'predicate'; name: string | null; question: Question }
  | { type: 'choice'; name: string | null; question: Question; values: ReadonlyMap<string, ChoiceValue> }
  | { type: 'score'; name: string | null; question: Question; labels: readonly string[] }

export const posedOf = (asked: OpenAIQuestion, index: number): Posed => {
  const name = asked.name ?? null
  const instructions = contentOf(asked.instructions)
  switch (asked.type) {
    case 'predicate':
      return {
        type: 'predicate',
        name,
        question: { type: 'noul', instructions, criteria: { true: null, false: null } },
      }
    case 'choice': {
      const values = valuesByKey(asked, index)
      const criteria = new KeyedByCaller<Content | null>(
        [...values.keys()].map((key, at) => [key, asked.choices[at]?.description ?? null]),
      )
      return { type: 'choice', name, question: { type: 'choice', instructions, criteria }, values }
    }
    case 'score': {
      const criteria = asked.levels.map(({ label, description }) =>
        description == null ? label : `${label}: ${description}`,
      )
      const labels = asked.levels.map(level => level.label)
      return { type: 'score', name, question: { type: 'score', instructions, criteria }, labels }
    }
  }
}

/**
 * A string and a boolean with the same text are two choices here and must stay two for the model, which reads text.
 * The later of such a pair is quoted until it differs from all others.
 */
const valuesByKey = (asked: Choice, index: number): ReadonlyMap<string, ChoiceValue> => {
  const sent = new KeyedByCaller<ChoiceValue>()
  const taken = new KeyedByCaller(asked.choices.map(({ value }) => [String(value), value]))
  const values = new KeyedByCaller<ChoiceValue>()
  for (const [at, { value }] of asked.choices.entries()) {
    const written = JSON.stringify(value)
    if (sent.has(written))
      throw new Misfit(['questions', index, 'choices', at, 'value'], 'must not repeat a choice')
    sent.set(written, value)
    let key = String(value)
    if (values.has(key)) {
      do key = JSON.stringify(key)
      while (taken.has(key))
    }
    values.set(key, value)
  }
  return values
}
