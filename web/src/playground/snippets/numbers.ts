import { isArray, isObject, type Json, Numeral } from '../../../../src/json/json.ts'

/** Whether any number in a value is such a one. */
export const someNumber = (value: Json, isSuch: (number: number | Numeral) => boolean): boolean => {
  if (typeof value === 'number' || value instanceof Numeral) return isSuch(value)
  const members = isArray(value) ? value : isObject(value) ? [...value.values()] : []
  return members.some(member => someNumber(member, isSuch))
}
