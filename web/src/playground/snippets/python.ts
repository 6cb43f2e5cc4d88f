import { isArray, isObject, type Json, type JsonObject } from '../../../../src/json/json.ts'
import { compact } from '../../../../src/json/writer.ts'
import { someNumber } from './numbers.ts'
import { typeable } from './typeable.ts'

export const python = (request: JsonObject, origin: string): string => `import os

import requests

${losesDigits(request) ? DIGITS_NOTE : ''}response = requests.post(
    "${origin}/v1/decisions",
    headers={"Authorization": f"Bearer {os.environ['DECIDER_API_KEY']}"},
    json=${typeable(literal(request, '    '))},
    timeout=15,
)
response.raise_for_status()
for name, answer in response.json()["answers"].items():
    print(name, answer["probabilities"], answer["decider"])
`

const DIGITS_NOTE = '# Check the digits: Python sends 1.50 as 1.5, 1e5 as 100000.0 and 0.00001 as 1e-05.\n'

const losesDigits = (value: Json): boolean =>
  someNumber(value, number => sentByPython(compact(number)) !== compact(number))

/** What Python sends for a number written so: integers keep any number of digits, all else becomes a float. */
const sentByPython = (written: string): string => {
  if (/^-?\d+$/.test(written)) return written === '-0' ? '0' : written
  const float = Number(written)
  const [digits = '', power = ''] = float.toExponential().split('e')
  if (Number(power) < -4 || Number(power) >= 16) return `${digits}e${power.replace(/^([+-])(\d)$/, '$10$2')}`
  return Number.isInteger(float) ? `${float}.0` : String(float)
}

/** A Python literal; dictionaries keep their order there. */
const literal = (value: Json, indent: string): string => {
  const inner = `${indent}    `
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (isObject(value) && value.size > 0) {
    const members = [...value].map(
      ([key, member]) => `${inner}${JSON.stringify(key)}: ${literal(member, inner)},\n`,
    )
    return `{\n${members.join('')}${indent}}`
  }
  if (isArray(value) && value.length > 0)
    return `[\n${value.map(item => `${inner}${literal(item, inner)},\n`).join('')}${indent}]`
  // Every JSON string is a Python string, once surrogate pairs are written as the characters they stand for.
  return compact(value)
}
