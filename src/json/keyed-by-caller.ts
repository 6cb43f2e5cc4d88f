import { present } from '../present.ts'
import type { Json, JsonObject } from './json.ts'

/** No string that begins with one of these is an array index, which would be hashed by its value. */
const MARK = '.'
const PLACE_MARK = '#'
/** With its mark, so long a key would be hashed by its length alone. */
const LONG = 16_383

/** Whether V8 hashes a key in a way that lets a caller choose others that collide with it. */
export const isPredictable = (key: string): boolean => {
  const first = key.charCodeAt(0)
  return (first >= 0x30 && first <= 0x39) || key.length >= LONG
}

/**
 * A Map whose keys a caller chose. V8 hashes a string of digits by its value alone, and a string of more than 16,383
 * characters by its length, so a caller can choose keys that all collide. Each new key is then compared with all before
 * it, and 30,000 of digits take seconds. They collide within one Map and, from many small Maps and even other requests,
 * in V8's table of all strings that were ever a key. Any other string is hashed with a secret of the process. So digits
 * get a mark, and a long key is known to the Map by its place in a list: a body has room for few of them.
 */
export class KeyedByCaller<Value = Json> extends Map<string, Value> {
  readonly #long: string[] = []

  constructor(entries: Iterable<readonly [string, Value]> = []) {
    super()
    for (const [key, value] of entries) this.set(key, value)
  }

  override get(key: string): Value | undefined {
    return super.get(this.#hashed(key))
  }

  override has(key: string): boolean {
    return super.has(this.#hashed(key))
  }

  override set(key: string, value: Value): this {
    if (key.length < LONG) return super.set(MARK + key, value)
    const known = this.#long.indexOf(key)
    const place = known < 0 ? this.#long.push(key) - 1 : known
    return super.set(PLACE_MARK + place, value)
  }

  override delete(key: string): boolean {
    return super.delete(this.#hashed(key))
  }

  override *entries(): MapIterator<[string, Value]> {
    for (const [key, value] of super.entries()) yield [this.#sent(key), value]
  }

  override *keys(): MapIterator<string> {
    for (const key of super.keys()) yield this.#sent(key)
  }

  override forEach(call: (value: Value, key: string, map: Map<string, Value>) => void): void {
    for (const [key, value] of this) call(value, key, this)
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries()
  }

  #hashed(key: string): string {
    return key.length < LONG ? MARK + key : PLACE_MARK + this.#long.indexOf(key)
  }

  #sent(hashed: string): string {
    if (hashed.startsWith(MARK)) return hashed.slice(MARK.length)
    return present(this.#long[Number(hashed.slice(PLACE_MARK.length))], 'a long key')
  }
}

/** A copy that may be changed. */
export const copyOf = (object: JsonObject): Map<string, Json> =>
  object instanceof KeyedByCaller ? new KeyedByCaller(object) : new Map(object)
