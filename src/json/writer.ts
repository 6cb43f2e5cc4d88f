import { isObject, type Json, Numeral } from './json.ts'

/**
 * Compact JSON text: no white space, keys in their order, numbers with the digits they came with, and no escape that
 * JSON does not require. What `readJson` read comes back equal, unless strings and keys are `quoted` differently.
 */
export const compact = (value: Json, quoted: (text: string) => string = JSON.stringify): string => {
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return writtenNumber(value)
  if (value instanceof Numeral) return value.source
  // No deeper than the reader's cap, so recursion is safe.
  if (isObject(value)) {
    let members = ''
    for (const [key, member] of value) members += `${members && ','}${quoted(key)}:${compact(member, quoted)}`
    return `{${members}}`
  }
  let items = ''
  for (const item of value) items += `${items && ','}${compact(item, quoted)}`
  return `[${items}]`
}

const writtenNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new RangeError('JSON has no infinite number')
  return String(value)
}
