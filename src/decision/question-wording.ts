import type { Json } from '../json/json.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { compact } from '../json/writer.ts'
import { present } from '../present.ts'
import { optionNames } from './option-names.ts'
import type { Question } from './question.ts'

/**
 * What makes two questions the same to a profile: type, instructions and criteria. The id, the label and the
 * order of a choice's options do not count. By this point all spellings of a request are the same.
 */
export const wordingOf = ({ type, instructions, criteria }: Question): string =>
  compact([type, instructions, inSignatureOrder(criteria)])

/** Where each option of a question, in the order asked, stands in the order that its signature knows. */
export const signaturePlaces = (question: Question): readonly number[] => {
  const names = optionNames(question)
  if (question.type !== 'choice') return names.map((_, place) => place)
  const places = new KeyedByCaller<number>()
  for (const [place, name] of names.toSorted(byCodeUnits).entries()) places.set(name, place)
  return names.map(name => present(places.get(name), 'a place'))
}

const inSignatureOrder = (criteria: Question['criteria']): Json => {
  if (criteria instanceof Map) {
    return new KeyedByCaller([...criteria].sort(([one], [other]) => byCodeUnits(one, other)))
  }
  return 'true' in criteria ? [criteria.true, criteria.false] : criteria
}

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : 1)
