// BERT's uncased WordPiece, except that a line feed is a token and anything that no piece spells becomes its UTF-8
// bytes, so that neither is lost. Token for token the same as the reference in scorer/training/tokenizer.py.
import { Integers } from './integers.ts'
import { CHANGED, DROPPED, formOf, kindOf, LINE_BREAK, PLAIN, SINGLE, SPACE } from './normal-form.ts'
import { type Vocabulary, WORD_START } from './vocabulary.ts'

type ByteTokens = { newline: number; firstByte: number }

export type Tokens = {
  readonly ids: Int32Array
  /** Where in the text each token comes from, in UTF-16 code units, end exclusive; null if not requested. */
  readonly spans: Spans | null
}
export type Spans = { readonly starts: Int32Array; readonly ends: Int32Array }

export type Tokenizer = {
  /** The tokens of a text, or null as soon as there are more than `limit`. */
  encode(text: string, options?: { limit?: number; spans?: boolean }): Tokens | null
}

/** Longer words are spelled in slices, so that no piece is longer than this and no more of a word is held. */
const SLICE_CODE_POINTS = 100

export const createTokenizer = (vocabulary: Vocabulary, special: ByteTokens): Tokenizer => ({
  encode(text, { limit = Number.POSITIVE_INFINITY, spans = false } = {}) {
    const reading = new Reading(vocabulary, special, spans)
    for (let at = 0; at < text.length; ) {
      const codePoint = text.codePointAt(at) ?? 0
      const end = at + (codePoint > 0xffff ? 2 : 1)
      reading.read(codePoint, at, end)
      if (reading.ids.length > limit) return null
      at = end
    }
    reading.endWord()
    return reading.ids.length > limit ? null : reading.tokens()
  },
})

/** One text being read: the tokens so far and the slice of a word under way. */
class Reading {
  readonly ids = new Integers()
  readonly #spans: { readonly starts: Integers; readonly ends: Integers } | null
  readonly #vocabulary: Vocabulary
  readonly #special: ByteTokens
  // The slice: its code units after normalisation and their positions in the text. The arrays keep their length from
  // slice to slice, because emptying them would allocate anew each time.
  #length = 0
  #codePoints = 0
  /** Whether the word began in a slice before this one. */
  #continues = false
  readonly #units: number[] = []
  readonly #unitStarts: number[] = []
  readonly #unitEnds: number[] = []

  constructor(vocabulary: Vocabulary, special: ByteTokens, spans: boolean) {
    this.#vocabulary = vocabulary
    this.#special = special
    this.#spans = spans ? { starts: new Integers(), ends: new Integers() } : null
  }

  read(codePoint: number, start: number, end: number): void {
    switch (kindOf(codePoint)) {
      case PLAIN:
        this.#extendWord(codePoint, start, end)
        break
      case SINGLE:
        this.#readAlone(codePoint, start, end)
        break
      case SPACE:
        this.endWord()
        break
      case LINE_BREAK:
        this.endWord()
        this.#emit(this.#special.newline, start, end)
        break
      case CHANGED:
        for (const part of formOf(codePoint)) {
          if (kindOf(part) === SINGLE) this.#readAlone(part, start, end)
          else this.#extendWord(part, start, end)
        }
        break
      case DROPPED:
        break
    }
  }

  endWord(): void {
    this.#spellSlice()
    this.#continues = false
  }

  tokens(): Tokens {
    const spans = this.#spans && { starts: this.#spans.starts.toArray(), ends: this.#spans.ends.toArray() }
    return { ids: this.ids.toArray(), spans }
  }

  #readAlone(codePoint: number, start: number, end: number): void {
    this.endWord()
    this.#extendWord(codePoint, start, end)
    this.endWord()
  }

  #extendWord(codePoint: number, start: number, end: number): void {
    if (this.#codePoints === SLICE_CODE_POINTS) this.#spellSlice()
    this.#codePoints += 1
    if (codePoint > 0xffff) {
      this.#extendByUnit(0xd800 + ((codePoint - 0x10000) >> 10), start, end)
      this.#extendByUnit(0xdc00 + ((codePoint - 0x10000) & 0x3ff), start, end)
    } else {
      this.#extendByUnit(codePoint, start, end)
    }
  }

  #extendByUnit(unit: number, start: number, end: number): void {
    const at = this.#length++
    this.#units[at] = unit
    if (this.#spans) {
      this.#unitStarts[at] = start
      this.#unitEnds[at] = end
    }
  }

  #spellSlice(): void {
    for (let at = 0; at < this.#length; ) at = this.#spellNext(at)
    this.#length = 0
    this.#codePoints = 0
    this.#continues = true
  }

  /** Emits the longest piece that matches at `at`, or the bytes of the code point there. Returns where to go on. */
  #spellNext(at: number): number {
    const { next, idAt, continuation } = this.#vocabulary
    const end = this.#length
    let node = at === 0 && !this.#continues ? WORD_START : continuation
    let piece = -1
    let pieceEnd = at
    for (let to = at; to < end; ) {
      node = next(node, this.#units[to++] ?? 0)
      if (node < 0) break
      const id = idAt(node)
      if (id >= 0) {
        piece = id
        pieceEnd = to
      }
    }
    if (piece >= 0) {
      this.#emit(piece, this.#unitStarts[at] ?? 0, this.#unitEnds[pieceEnd - 1] ?? 0)
      return pieceEnd
    }
    const codePoint = this.#codePointAt(at)
    for (const byte of utf8(codePoint)) {
      this.#emit(this.#special.firstByte + byte, this.#unitStarts[at] ?? 0, this.#unitEnds[at] ?? 0)
    }
    return at + (codePoint > 0xffff ? 2 : 1)
  }

  // Slices are made of whole code points, so a high surrogate is always followed by its low one.
  #codePointAt(at: number): number {
    const unit = this.#units[at] ?? 0
    if (unit < 0xd800 || unit > 0xdbff) return unit
    return 0x10000 + ((unit - 0xd800) << 10) + ((this.#units[at + 1] ?? 0) - 0xdc00)
  }

  #emit(id: number, start: number, end: number): void {
    this.ids.push(id)
    this.#spans?.starts.push(start)
    this.#spans?.ends.push(end)
  }
}

function utf8(codePoint: number): number[] {
  if (codePoint < 0x80) return [codePoint]
  const tail = (shift: number): number => 0x80 | ((codePoint >> shift) & 0x3f)
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), tail(0)]
  if (codePoint < 0x10000) return [0xe0 | (codePoint >> 12), tail(6), tail(0)]
  return [0xf0 | (codePoint >> 18), tail(12), tail(6), tail(0)]
}
