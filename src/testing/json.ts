import { isObject, type Json, type JsonObject } from '../json/json.ts'
import { readJson } from '../json/reader.ts'

/** The value of a JSON text that a test wrote. */
export const jsonIn = (text: string): Json => {
  const reading = readJson(text)
  if (reading.kind === 'refused') throw new Error(`${reading.rule} at character ${reading.at}`)
  return reading.value
}

/** A value as it is read after it was sent. */
export const jsonOf = (value: unknown): Json => jsonIn(JSON.stringify(value))

export const jsonObjectIn = (text: string): JsonObject => {
  const value = jsonIn(text)
  if (!isObject(value)) throw new Error('not an object')
  return value
}
