import { isArray, isObject, type Json } from '../../../src/json/json.ts'
import { compact } from '../../../src/json/writer.ts'

const WIDTH = 88

/** JSON for reading: two spaces per level, and what fits on a line stays on it. Order and digits are kept. */
export const pretty = (value: Json, indent = ''): string => {
  const inner = `${indent}  `
  const isFlat = (parts: readonly Json[]) => parts.every(part => !isObject(part) && !isArray(part))
  const fits = (line: string) => line.length <= WIDTH - indent.length
  if (isObject(value) && value.size > 0) {
    const members = [...value].map(([key, part]) => `${JSON.stringify(key)}: ${pretty(part, inner)}`)
    const line = isFlat([...value.values()]) ? `{ ${members.join(', ')} }` : null
    if (line !== null && fits(line)) return line
    return `{\n${members.map(member => inner + member).join(',\n')}\n${indent}}`
  }
  if (isArray(value) && value.length > 0) {
    const items = value.map(item => pretty(item, inner))
    const line = isFlat(value) ? `[${items.join(', ')}]` : null
    if (line !== null && fits(line)) return line
    return `[\n${items.map(item => inner + item).join(',\n')}\n${indent}]`
  }
  return compact(value)
}
