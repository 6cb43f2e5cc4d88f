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
    // Joined, not added up: V8 keeps every part of a sum until it is read, in several times the memory of the text.
    const members: string[] = []
    for (const [key, member] of value) members.push(`${quoted(key)}:${compact(member, quoted)}`)
    return `{${members.join(',')}}`
  }
  return `[${value.map(item => compact(item, quoted)).join(',')}]`
}

const writtenNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new RangeError('JSON has no infinite number')
  return String(value)
}
