// Typed reading of the service's answers, which arrive as ordered Maps.
import { isArray, isObject, type JsonArray, type JsonObject, numberOf } from '../../../src/json/json.ts'

const EMPTY: JsonObject = new Map()

export const objectIn = (from: JsonObject, name: string): JsonObject => {
  const value = from.get(name)
  return isObject(value) ? value : EMPTY
}

export const arrayIn = (from: JsonObject, name: string): JsonArray => {
  const value = from.get(name)
  return isArray(value) ? value : []
}

export const textIn = (from: JsonObject, name: string): string => {
  const value = from.get(name)
  return typeof value === 'string' ? value : ''
}

export const numberIn = (from: JsonObject, name: string): number => numberOf(from.get(name)) ?? 0

/** Name and number of every member, in the order sent. */
export const numbersIn = (from: JsonObject, name: string): [string, number][] =>
  [...objectIn(from, name)].map(([key, value]) => [key, numberOf(value) ?? 0])
