import type { Json } from '../json/json.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { compact } from '../json/writer.ts'
import { present } from '../present.ts'
import type { Question } from './question.ts'

/**
 * What makes two questions the same to a profile: type, instructions and criteria. The id, the label and the
 * order of a choice's options do not count. By this point all spellings of a request are the same.
 */
export const wordingOf = ({ type, instructions, criteria }: Question): string =>
  compact([type, instructions, inSignatureOrder(criteria)])

/** Where each option of a question, in the order asked, stands in the order that its signature knows. */
export const signaturePlaces = ({ criteria, type }: Question): readonly number[] => {
  if (type === 'noul') return [0, 1]
  if (!(criteria instanceof Map)) return criteria.map((_, level) => level)
  const keys = [...criteria].sort(byKey).map(([key]) => key)
  const places = new KeyedByCaller<number>()
  for (const [place, key] of keys.entries()) places.set(key, place)
  return [...criteria.keys()].map(key => present(places.get(key), 'a place'))
}

const inSignatureOrder = (criteria: Question['criteria']): Json => {
  if (criteria instanceof Map) return new KeyedByCaller([...criteria].sort(byKey))
  return 'true' in criteria ? [criteria.true, criteria.false] : criteria
}

const byKey = ([one]: [string, Json], [other]: [string, Json]): number => (one < other ? -1 : 1)
