import type { Question } from '../decision/question.ts'
import { violation } from '../decision/violation.ts'
import { type Json, numberOf } from '../json/json.ts'

/** The right answer to a question: its name, and where its logit stands among the question's. */
export type Label = { name: string; index: number }

export const readLabel = (label: Json | undefined, question: Question, param: string): Label => {
  if (label === undefined) throw violation(param, 'is required')
  switch (question.type) {
    case 'choice': {
      const index = typeof label === 'string' ? [...question.criteria.keys()].indexOf(label) : -1
      if (index === -1) throw violation(param, 'must be one of the keys of criteria')
      return { name: String(label), index }
    }
    case 'noul':
      if (typeof label !== 'boolean') throw violation(param, 'must be true or false')
      return { name: String(label), index: label ? 0 : 1 }
    case 'score': {
      const level = numberOf(label)
      const highest = question.criteria.length - 1
      if (level === null || !Number.isInteger(level) || level < 0 || level > highest) {
        throw violation(param, `must be an integer from 0 to ${highest}, the highest level`)
      }
      // -0 and 0 are one level.
      return { name: String(level + 0), index: level + 0 }
    }
  }
}
