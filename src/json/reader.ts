import { unescaped } from './escapes.ts'
import { type Json, Numeral } from './json.ts'
import { isPredictable, KeyedByCaller } from './keyed-by-caller.ts'

/** Deeper nesting than this is refused. */
export const MAX_DEPTH = 128
/** Values and keys in one document. A calibration of 5,000 examples that each offer 45 options has 515,000. */
export const MAX_NODES = 600_000
/** The largest sensible decision, 128 × 1,024 options, has slightly more than 262,144 keys and values. */
export const MAX_DECISION_NODES = 300_000
/** What an array or object counts as among them, because of the memory it takes. */
export const CONTAINER_NODES = 4
/** Arrays and objects in one document: an object of one member takes about 200 bytes of memory for 7 of text. */
export const MAX_CONTAINERS = 100_000
/** Members of one object: the longest state, 65,536 tokens, has no room for more. */
export const MAX_MEMBERS = 32_768

/** The refusal of a document that holds too much carries what was read of it, every open array and object closed. */
type Reading = { kind: 'read'; value: Json } | { kind: 'refused'; rule: string; at: number; soFar?: Json }

/**
 * Reads a JSON text strictly (RFC 8259) and keeps what `JSON.parse` loses: the order of keys and the digits of
 * numbers. Duplicate keys, lone surrogates and documents past the caps are refused. A refusal says which rule
 * was broken and at which character, never what is there. It does not recurse.
 */
export const readJson = (text: string, maxNodes = MAX_NODES): Reading => {
  try {
    return { kind: 'read', value: new Reader(text, maxNodes).document() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { rule, at, soFar } = error
    return { kind: 'refused', rule, at, ...(soFar !== null && { soFar }) }
  }
}

class Refused extends Error {
  readonly rule: string
  readonly at: number
  soFar: Json = null
  constructor(rule: string, at: number) {
    super(rule)
    this.rule = rule
    this.at = at
  }
}

/** The document holds more than may be read. */
class Overfull extends Refused {}

type Container = Json[] | Map<string, Json>
type Open = { container: Container; key: string }

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const LARGE_E = 0x45
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const SMALL_E = 0x65
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const NOT_FINITE = /-?(?:NaN|Infinity)/y
/** This many digits are exact in a double and are written back unchanged. */
const SAFE_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: SAFE_DIGITS }, (_, power) => 10 ** power)
const LEAST_PLAIN = 1e-6

class Reader {
  readonly #text: string
  readonly #maxNodes: number
  #at = 0
  #nodes = 0
  #containers = 0

  constructor(text: string, maxNodes: number) {
    this.#text = text
    this.#maxNodes = maxNodes
  }

  document(): Json {
    const outer: Open[] = []
    let container: Container | null = null
    let key = ''
    try {
      for (;;) {
        let value: Json
        const next = this.#peek()
        if (next === OPEN_OBJECT || next === OPEN_ARRAY) {
          const opened: Container = this.#open(next, outer.length + (container === null ? 0 : 1))
          if (!this.#closes(opened)) {
            if (container !== null) outer.push({ container, key })
            container = opened
            if (opened instanceof Map) key = this.#key()
            continue
          }
          value = opened
        } else value = this.#scalar(next)

        // The value is complete: put it where it belongs, and close every container that ends with it.
        while (container !== null) {
          if (container instanceof Map) container = this.#member(container, key, value)
          else container.push(value)
          if (this.#peek() === COMMA) {
            this.#at++
            if (container instanceof Map) key = this.#key()
            break
          }
          if (!this.#closes(container)) this.#expected('a comma or the end of the array or object')
          value = container
          const parent = outer.pop()
          container = parent?.container ?? null
          key = parent?.key ?? ''
        }
        if (container === null) {
          if (!Number.isNaN(this.#peek())) this.#expected('the end of the document')
          return value
        }
      }
    } catch (error) {
      if (error instanceof Overfull) error.soFar = closed(container, outer)
      throw error
    }
  }

  #open(bracket: number, depth: number): Container {
    if (depth >= MAX_DEPTH) this.#refuse(`must not nest deeper than ${MAX_DEPTH} levels`)
    if (++this.#containers > MAX_CONTAINERS) {
      this.#overfull(`must not hold more than ${MAX_CONTAINERS} arrays and objects`)
    }
    this.#count(CONTAINER_NODES)
    this.#at++
    return bracket === OPEN_OBJECT ? new Map() : []
  }

  #closes(container: Container): boolean {
    if (this.#peek() !== (container instanceof Map ? CLOSE_OBJECT : CLOSE_ARRAY)) return false
    this.#at++
    return true
  }

  /** The object with one member more; a new object if this is its first key of a predictable hash. */
  #member(before: Map<string, Json>, key: string, value: Json): Map<string, Json> {
    const { size } = before
    const isFirst = isPredictable(key) && !(before instanceof KeyedByCaller)
    const object = isFirst ? new KeyedByCaller(before) : before
    object.set(key, value)
    if (size === MAX_MEMBERS) this.#overfull(`must not hold more than ${MAX_MEMBERS} members in one object`)
    if (object.size === size) this.#refuse('must not repeat a key within one object; the repeat ends here')
    return object
  }

  #key(): string {
    if (this.#peek() !== QUOTE) this.#expected('a key in double quotes')
    this.#count()
    const key = this.#string()
    if (this.#peek() !== COLON) this.#expected('a colon after the key')
    this.#at++
    return key
  }

  #scalar(next: number): Json {
    this.#count()
    if (next === QUOTE) return this.#string()
    if (next === MINUS || isDigit(next)) return this.#number()
    if (this.#literal('true')) return true
    if (this.#literal('false')) return false
    if (this.#literal('null')) return null
    return this.#expectedNumber('a value')
  }

  #literal(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #string(): string {
    const text = this.#text
    const start = this.#at
    let at = start + 1
    let escaped = false
    for (;;) {
      const unit = text.charCodeAt(at)
      if (unit === QUOTE) break
      if (unit === BACKSLASH) {
        escaped = true
        at += 2
      } else if (unit >= 0x20) at++
      else {
        // NaN, past the end, comes here too: one further on after a backslash.
        this.#at = Math.min(at, text.length)
        this.#expected('the end of a string, without control characters')
      }
    }
    this.#at = at + 1
    if (!escaped) return text.slice(start + 1, at)
    const value = unescaped(text, start + 1, at)
    if (value === null)
      this.#refuse(
        'must not hold an unknown escape, or half a surrogate pair, as a text cut within an emoji does; the string ends here',
      )
    return value
  }

  #number(): number | Numeral {
    const start = this.#at
    const plain = this.#plainNumber()
    if (plain !== null) return plain
    NUMBER.lastIndex = start
    if (!NUMBER.test(this.#text)) this.#expectedNumber('digits')
    this.#at = NUMBER.lastIndex
    const source = this.#text.slice(start, this.#at)
    const value = Number(source)
    return String(value) === source ? value : new Numeral(source)
  }

  /**
   * The common case, several times faster: up to 15 digits and no exponent, as JavaScript writes them too. Dividing an
   * integer of up to 15 digits by a power of ten once gives the double nearest to the decimal.
   */
  #plainNumber(): number | null {
    const text = this.#text
    const start = text.charCodeAt(this.#at) === MINUS ? this.#at + 1 : this.#at
    let at = start
    let point = -1
    let digits = 0
    let unit = text.charCodeAt(at)
    for (; ; unit = text.charCodeAt(++at)) {
      if (isDigit(unit) && at - start < SAFE_DIGITS) digits = digits * 10 + unit - ZERO
      else if (unit === POINT && point < 0) point = at
      else break
    }
    if (unit === SMALL_E || unit === LARGE_E || unit === POINT || isDigit(unit)) return null
    const whole = (point < 0 ? at : point) - start
    const fraction = point < 0 ? 0 : at - point - 1
    if (whole === 0 || (whole > 1 && text.charCodeAt(start) === ZERO)) return null
    if (point >= 0 && (fraction === 0 || text.charCodeAt(at - 1) === ZERO)) return null
    const value = digits / (POWERS_OF_TEN[fraction] ?? Number.NaN)
    // Zero may be -0, and JavaScript writes very small fractions with an exponent.
    const negative = start !== this.#at
    if ((negative || fraction > 0) && value < LEAST_PLAIN) return null
    this.#at = at
    return negative ? -value : value
  }

  /** The character after white space, left unread; NaN at the end. */
  #peek(): number {
    const text = this.#text
    let at = this.#at
    let unit = text.charCodeAt(at)
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = text.charCodeAt(++at)
    this.#at = at
    return unit
  }

  #count(nodes = 1): void {
    this.#nodes += nodes
    if (this.#nodes > this.#maxNodes) {
      this.#overfull(
        `must not hold more than ${this.#maxNodes} keys and values, an array or object counted as ${CONTAINER_NODES}`,
      )
    }
  }

  #refuse(rule: string): never {
    throw new Refused(rule, this.#at)
  }

  #expected(what: string): never {
    this.#refuse(this.#at < this.#text.length ? `expected ${what}` : 'the text ends too early')
  }

  /** Some programs write numbers that JSON does not have, and their users never see the text. */
  #expectedNumber(what: string): never {
    NOT_FINITE.lastIndex = this.#at
    if (NOT_FINITE.test(this.#text)) this.#refuse('must not hold NaN or Infinity, which JSON does not have')
    this.#expected(what)
  }

  #overfull(rule: string): never {
    throw new Overfull(rule, this.#at)
  }
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= NINE

/** The outermost open container, each one holding all that was read into it. */
const closed = (innermost: Container | null, outer: readonly Open[]): Json => {
  let value: Json = innermost
  for (const { container, key } of outer.toReversed()) {
    if (container instanceof Map) container.set(key, value)
    else container.push(value)
    value = container
  }
  return value
}
