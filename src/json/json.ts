// What a request body becomes once read. Plain objects would lose what callers mean: they sort integer-like keys,
// round long numbers and treat `__proto__` specially. So objects are Maps and long numbers keep their digits.

/** A number that JavaScript would not write back with the same digits (`1.0`, `1e3`, `12345678901234567890`). */
export class Numeral {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  get value(): number {
    return Number(this.source)
  }
}

export type JsonArray = readonly Json[]
export type JsonObject = ReadonlyMap<string, Json>
export type Json = null | boolean | number | Numeral | string | JsonArray | JsonObject

export const isObject = (value: unknown): value is JsonObject => value instanceof Map
export const isArray = (value: unknown): value is JsonArray => Array.isArray(value)

/** A number, however it was written; null if the value is not a number. */
export const numberOf = (value: Json | undefined): number | null => {
  if (typeof value === 'number') return value
  return value instanceof Numeral ? value.value : null
}

/**
 * An object of fixed fields, in the order written; an undefined field is left out.
 * Only for names known to the source code: a plain object would reorder names like `10`.
 */
export const objectOf = (fields: { readonly [name: string]: Json | undefined }): JsonObject => {
  const object = new Map<string, Json>()
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) object.set(name, value)
  }
  return object
}
