import { isArray, isObject, type Json } from '../../../src/json/json.ts'
import { compact } from '../../../src/json/writer.ts'

const WIDTH = 88

/** JSON for reading: two spaces per level, and what fits on a line stays on it. Order and digits are kept. */
export const pretty = (value: Json, indent = ''): string => {
  const inner = `${indent}  `
  if (isObject(value) && value.size > 0) {
    const flat = flatWithin(value, WIDTH - indent.length)
    if (flat !== null) return flat
    const members = [...value].map(
      ([key, member]) => `${inner}${JSON.stringify(key)}: ${pretty(member, inner)}`,
    )
    return `{\n${members.join(',\n')}\n${indent}}`
  }
  if (isArray(value) && value.length > 0) {
    const flat = flatWithin(value, WIDTH - indent.length)
    if (flat !== null) return flat
    return `[\n${value.map(item => inner + pretty(item, inner)).join(',\n')}\n${indent}]`
  }
  return compact(value)
}

/** One line with spaces, if every part is a scalar and it fits. */
const flatWithin = (value: Json, width: number): string | null => {
  const scalar = (part: Json) => !isObject(part) && !isArray(part)
  if (isArray(value)) {
    if (!value.every(scalar)) return null
    const line = `[${value.map(item => compact(item)).join(', ')}]`
    return line.length <= width ? line : null
  }
  if (!isObject(value) || ![...value.values()].every(scalar)) return null
  const line = `{ ${[...value].map(([key, part]) => `${JSON.stringify(key)}: ${compact(part)}`).join(', ')} }`
  return line.length <= width ? line : null
}
