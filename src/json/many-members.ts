import type { Json } from './json.ts'

/** No text that begins so is an index, which is hashed by its value. */
const MARK = '.'

/**
 * The members of an object that may have many. V8 hashes a text of digits by their value alone: who chooses it so can
 * have all keys of a Map meet in one place, where each new one is compared with all before it, and 30,000 take
 * seconds. Any other text is hashed with a secret of the process, and so are these.
 */
export class ManyMembers extends Map<string, Json> {
  override get(key: string): Json | undefined {
    return super.get(MARK + key)
  }

  override has(key: string): boolean {
    return super.has(MARK + key)
  }

  override set(key: string, value: Json): this {
    return super.set(MARK + key, value)
  }

  override delete(key: string): boolean {
    return super.delete(MARK + key)
  }

  override *entries(): MapIterator<[string, Json]> {
    for (const [key, value] of super.entries()) yield [key.slice(MARK.length), value]
  }

  override *keys(): MapIterator<string> {
    for (const key of super.keys()) yield key.slice(MARK.length)
  }

  override forEach(call: (value: Json, key: string, map: Map<string, Json>) => void): void {
    for (const [key, value] of this) call(value, key, this)
  }

  override [Symbol.iterator](): MapIterator<[string, Json]> {
    return this.entries()
  }
}
