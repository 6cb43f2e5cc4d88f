import type { Question } from './question.ts'

/** The names that an answer gives to the options of a question, in the order of its logits. */
export const optionNames = (question: Question): readonly string[] => {
  switch (question.type) {
    case 'choice':
      return [...question.criteria.keys()]
    case 'noul':
      return ['true', 'false']
    case 'score':
      return question.criteria.map((_, level) => String(level))
  }
}
