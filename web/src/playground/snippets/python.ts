import { isArray, isObject, type Json, type JsonObject } from '../../../../src/json/json.ts'
import { compact } from '../../../../src/json/writer.ts'

export const python = (request: JsonObject, origin: string): string => `import os

import requests

response = requests.post(
    "${origin}/v1/decisions",
    headers={"Authorization": f"Bearer {os.environ['DECIDER_API_KEY']}"},
    json=${literal(request, '    ')},
    timeout=15,
)
response.raise_for_status()
for name, answer in response.json()["answers"].items():
    print(name, answer["probabilities"], answer["decider"])
`

/** A Python literal; dictionaries keep their order there, and integers any number of digits. */
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
