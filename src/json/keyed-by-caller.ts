import type { Json } from './json.ts'

/** No text that begins so is an index, which is hashed by its value. */
const MARK = '.'

/**
 * A Map whose keys a caller chose. V8 hashes a text of digits by its value alone: who chooses it so can have all of
 * them meet in one place, where each new one is compared with all before it, and 30,000 take seconds. They meet in one
 * Map, and from many small ones in the table of all texts that were ever a key. Any other text is hashed with a secret
 * of the process, and so are these.
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
