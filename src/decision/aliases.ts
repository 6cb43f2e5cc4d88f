// The other names under which a question may be sent. What comes out has canonical fields only.
import { isArray, isObject, type Json, type JsonObject } from '../json/json.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { violation } from './violation.ts'

const TYPE_ALIASES: ReadonlyMap<Json, string> = new Map([
  ['predicate', 'noul'],
  ['boolean', 'noul'],
])

export type OpenQuestion = { type: Json; instructions?: Json; criteria?: Json }

/** The canonical fields of a question, still unchecked; a field that no question has is refused. */
export const canonicalQuestion = (question: JsonObject, param: string): OpenQuestion => {
  const open: OpenQuestion = { type: question.get('type') ?? null }
  open.type = TYPE_ALIASES.get(open.type) ?? open.type
  for (const [name, value] of question) {
    if (name === 'type') continue
    const alias = ALIASES.get(name)
    if (alias === undefined) {
      throw violation(param, 'has an unknown field; a question has type, instructions and criteria')
    }
    if (open[alias.field] !== undefined) {
      throw violation(`${param}.${alias.field}`, `must be given once; ${alias.names} say the same`)
    }
    open[alias.field] = alias.read(value, `${param}.${name}`)
  }
  return open
}

const asSent = (value: Json): Json => value

const options = (value: Json, param: string): Json => {
  const criteria = new KeyedByCaller()
  for (const [index, option] of items(value, param).entries()) {
    if (typeof option !== 'string') throw violation(`${param}.${index}`, 'must be a string')
    add(criteria, option, null, param)
  }
  return criteria
}

const choices = (value: Json, param: string): Json => {
  const criteria = new KeyedByCaller()
  for (const [index, choice] of items(value, param).entries()) {
    const at = `${param}.${index}`
    const fields = fieldsOf(choice, 'value', at)
    const name = fields.get('value')
    if (typeof name !== 'string' && typeof name !== 'boolean') {
      throw violation(`${at}.value`, 'must be a string or a boolean')
    }
    add(criteria, String(name), fields.get('description') ?? null, param)
  }
  return criteria
}

const levels = (value: Json, param: string): Json =>
  items(value, param).map((level, index) => {
    const at = `${param}.${index}`
    const fields = fieldsOf(level, 'label', at)
    const label = fields.get('label')
    const description = fields.get('description') ?? null
    if (typeof label !== 'string') throw violation(`${at}.label`, 'must be a string')
    if (description === null) return label
    if (typeof description !== 'string') throw violation(`${at}.description`, 'must be a string or null')
    return `${label}: ${description}`
  })

type Alias = {
  field: 'instructions' | 'criteria'
  names: string
  read: (value: Json, param: string) => Json
}
const INSTRUCTIONS = { field: 'instructions', names: 'instructions and text' } as const
const CRITERIA = { field: 'criteria', names: 'criteria, options, choices and levels' } as const
const ALIASES: ReadonlyMap<string, Alias> = new Map<string, Alias>([
  ['instructions', { ...INSTRUCTIONS, read: asSent }],
  ['text', { ...INSTRUCTIONS, read: asSent }],
  ['criteria', { ...CRITERIA, read: asSent }],
  ['options', { ...CRITERIA, read: options }],
  ['choices', { ...CRITERIA, read: choices }],
  ['levels', { ...CRITERIA, read: levels }],
])

const items = (value: Json, param: string): readonly Json[] => {
  if (isArray(value)) return value
  throw violation(param, 'must be an array')
}

const fieldsOf = (item: Json, name: string, param: string): JsonObject => {
  if (!isObject(item)) throw violation(param, `must be an object of ${name} and description`)
  for (const field of item.keys()) {
    if (field !== name && field !== 'description') {
      throw violation(param, `has an unknown field; it may have ${name} and description`)
    }
  }
  return item
}

const add = (criteria: Map<string, Json>, key: string, description: Json, param: string): void => {
  if (criteria.has(key)) throw violation(param, 'must not repeat an option')
  criteria.set(key, description)
}
