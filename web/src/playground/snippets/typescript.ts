import { isArray, isObject, type Json, Numeral } from '../../../../src/json/json.ts'
import { compact } from '../../../../src/json/writer.ts'
import { someNumber } from './numbers.ts'
import { typeable } from './typeable.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** A TypeScript literal. */
export const literal = (value: Json, indent = ''): string => {
  const inner = `${indent}  `
  if (isObject(value) && value.size > 0) {
    const members = [...value].map(([key, member]) => `${inner}${nameOf(key)}: ${literal(member, inner)},\n`)
    return `{\n${members.join('')}${indent}}`
  }
  if (isArray(value) && value.length > 0)
    return `[\n${value.map(item => `${inner}${literal(item, inner)},\n`).join('')}${indent}]`
  return typeable(compact(value))
}

// `__proto__: x` would set the prototype; in brackets it is a key like any other.
const nameOf = (key: string): string =>
  key === '__proto__' ? '["__proto__"]' : IDENTIFIER.test(key) ? key : typeable(JSON.stringify(key))

/** Comments above the call about what JavaScript would send differently. */
export const notesOn = (value: Json): string =>
  `${losesOrder(value) ? ORDER_NOTE : ''}${losesDigits(value) ? DIGITS_NOTE : ''}`

const ORDER_NOTE = `// Check the order: JavaScript moves keys that look like integers to the front of an object.\n`
const DIGITS_NOTE = `// Check the digits: JavaScript rounds long numbers and sends 1.0 as 1.\n`

/** True when a JavaScript object cannot hold this value as it is: it moves keys like `10` to the front. */
const losesOrder = (value: Json): boolean => {
  if (isArray(value)) return value.some(losesOrder)
  if (!isObject(value)) return false
  const keys = [...value.keys()]
  const object = Object.keys(Object.fromEntries(keys.map(key => [key, null])))
  return (
    keys.some((key, at) => key !== object[at] && key !== '__proto__') || [...value.values()].some(losesOrder)
  )
}

const losesDigits = (value: Json): boolean => someNumber(value, number => number instanceof Numeral)
