import { Misfit, type Path } from '../decision/misfit.ts'
import { type Question, REQUIRED } from '../decision/question.ts'
import { type Json, numberOf } from '../json/json.ts'

/** The right answer to a question: its name, and the position of its logit among the question's. */
export type Label = { name: string; index: number }

export const readLabel = (label: Json | undefined, question: Question, path: Path): Label => {
  if (label === undefined) throw new Misfit(path, REQUIRED)
  switch (question.type) {
    case 'choice': {
      if (typeof label !== 'string') throw new Misfit(path, 'must be a string, one of the keys of criteria')
      const index = [...question.criteria.keys()].indexOf(label)
      if (index === -1) throw new Misfit(path, 'must be one of the keys of criteria')
      return { name: label, index }
    }
    case 'noul':
      if (typeof label !== 'boolean') throw new Misfit(path, 'must be true or false')
      return { name: String(label), index: label ? 0 : 1 }
    case 'score': {
      const level = numberOf(label)
      const highest = question.criteria.length - 1
      if (level === null || !Number.isInteger(level) || level < 0 || level > highest) {
        throw new Misfit(path, `must be an integer from 0 to ${highest}, the highest level`)
      }
      // -0 and 0 are the same level.
      return { name: String(level), index: level + 0 }
    }
  }
}
