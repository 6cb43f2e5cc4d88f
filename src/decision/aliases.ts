// The other names that a question's fields may be sent under. What comes out has only canonical fields.
import { isArray, isObject, type Json, type JsonObject } from '../json/json.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { Misfit, type Path } from './misfit.ts'

const NAMES_OF_NOUL: readonly Json[] = ['predicate', 'boolean']

type OpenQuestion = { type: Json; instructions?: Json; criteria?: Json }

/** The canonical fields of a question, still unchecked; a field that is not one of `fields` is refused. */
export const canonicalQuestion = (
  question: JsonObject,
  path: Path,
  fields = 'type, instructions and criteria',
): OpenQuestion => {
  const open: OpenQuestion = { type: question.get('type') ?? null }
  if (NAMES_OF_NOUL.includes(open.type)) open.type = 'noul'
  for (const [name, value] of question) {
    if (name === 'type') continue
    const alias = ALIASES.find(known => known.name === name)
    if (alias === undefined) {
      throw new Misfit([...path, name], `is not a known field; a question has ${fields}`)
    }
    const before = open[alias.field]
    // Clients that write every field they know send null for those they leave out.
    if (value === null && before !== undefined) continue
    if (before !== undefined && before !== null) {
      throw new Misfit([...path, alias.field], `must be given once; ${alias.names} mean the same`)
    }
    open[alias.field] = value === null ? null : alias.read(value, [...path, name])
  }
  return open
}

const asSent = (value: Json): Json => value

const OPTIONS_RULE = 'must be an array of strings; send options with descriptions as criteria'

const options = (value: Json, path: Path): Json => {
  const criteria = new KeyedByCaller()
  for (const [index, option] of items(value, path, OPTIONS_RULE).entries()) {
    if (typeof option !== 'string') throw new Misfit([...path, index], 'must be a string')
    add(criteria, option, null, path)
  }
  return criteria
}

const choices = (value: Json, path: Path): Json => {
  const criteria = new KeyedByCaller()
  for (const [index, choice] of items(value, path).entries()) {
    const at = [...path, index]
    const fields = fieldsOf(choice, 'value', at)
    const name = fields.get('value')
    if (typeof name !== 'string' && typeof name !== 'boolean') {
      throw new Misfit([...at, 'value'], 'must be a string or a boolean')
    }
    add(criteria, String(name), fields.get('description') ?? null, path)
  }
  return criteria
}

const levels = (value: Json, path: Path): Json =>
  items(value, path).map((level, index) => {
    const at = [...path, index]
    const fields = fieldsOf(level, 'label', at)
    const label = fields.get('label')
    const description = fields.get('description') ?? null
    if (typeof label !== 'string') throw new Misfit([...at, 'label'], 'must be a string')
    if (description === null) return label
    if (typeof description !== 'string') throw new Misfit([...at, 'description'], 'must be a string or null')
    return `${label}: ${description}`
  })

type Alias = {
  name: string
  field: 'instructions' | 'criteria'
  names: string
  read: (value: Json, path: Path) => Json
}
const INSTRUCTIONS = { field: 'instructions', names: 'instructions and text' } as const
const CRITERIA = { field: 'criteria', names: 'criteria, options, choices and levels' } as const
/** A list, because looking a name up in a Map would hash it, and it may be one of `KeyedByCaller`'s that collide. */
const ALIASES: readonly Alias[] = [
  { name: 'instructions', ...INSTRUCTIONS, read: asSent },
  { name: 'text', ...INSTRUCTIONS, read: asSent },
  { name: 'criteria', ...CRITERIA, read: asSent },
  { name: 'options', ...CRITERIA, read: options },
  { name: 'choices', ...CRITERIA, read: choices },
  { name: 'levels', ...CRITERIA, read: levels },
]

const items = (value: Json, path: Path, rule = 'must be an array'): readonly Json[] => {
  if (isArray(value)) return value
  throw new Misfit(path, rule)
}

const fieldsOf = (item: Json, name: string, path: Path): JsonObject => {
  if (!isObject(item)) throw new Misfit(path, `must be an object of ${name} and description`)
  for (const field of item.keys()) {
    if (field !== name && field !== 'description') {
      throw new Misfit([...path, field], `is not a known field; there may be ${name} and description`)
    }
  }
  return item
}

const add = (criteria: Map<string, Json>, key: string, description: Json, path: Path): void => {
  if (criteria.has(key)) throw new Misfit(path, 'must not repeat an option')
  criteria.set(key, description)
}
