import type { Json } from './json.ts'

/** No string that begins with this is an array index, which would be hashed by its value. */
const MARK = '.'

/**
 * A Map whose keys a caller chose. V8 hashes a string of digits by its value alone, so a caller can choose keys that
 * all collide. Each new key is then compared with all before it, and 30,000 take seconds. They collide within one Map
 * and, from many small Maps, in V8's table of all strings that were ever a key. Any other string is hashed with a
 * secret of the process, and thanks to the mark so are these. (Strings of more than 16,383 characters are hashed by their
 * length. A body has room for few of them.)
 */
export class KeyedByCaller<Value = Json> extends Map<string, Value> {
  override get(key: string): Value | undefined {
    return super.get(MARK + key)
  }

  override has(key: string): boolean {
    return super.has(MARK + key)
  }

  override set(key: string, value: Value): this {
    return super.set(MARK + key, value)
  }

  override delete(key: string): boolean {
    return super.delete(MARK + key)
  }

  override *entries(): MapIterator<[string, Value]> {
    for (const [key, value] of super.entries()) yield [key.slice(MARK.length), value]
  }

  override *keys(): MapIterator<string> {
    for (const key of super.keys()) yield key.slice(MARK.length)
  }

  override forEach(call: (value: Value, key: string, map: Map<string, Value>) => void): void {
    for (const [key, value] of this) call(value, key, this)
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries()
  }
}
