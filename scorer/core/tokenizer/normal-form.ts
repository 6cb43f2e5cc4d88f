// What happens to a code point before text is split into words. The tables record the decisions of the reference
// tokenizer (scorer/training/unicode_tables.py writes them), because a snapshot's tokens must not change when Node
// adopts a newer Unicode version.
import tables from './unicode.json' with { type: 'json' }

/** Part of a word, as it is. */
export const PLAIN = 0
/** Removed without a trace: control characters and combining marks. */
export const DROPPED = 1
/** Separates words. */
export const SPACE = 2
/** A word of its own: punctuation and ideographs. */
export const SINGLE = 3
/** Becomes one or more other code points, each of them plain or single. */
export const CHANGED = 4
export const LINE_BREAK = 5

const CODE_POINTS = 0x110000

const kinds = new Uint8Array(CODE_POINTS)
const forms = new Map<number, readonly number[]>()

export const kindOf = (codePoint: number): number => kinds[codePoint] ?? PLAIN

/** The code points that a `CHANGED` one becomes. */
export const formOf = (codePoint: number): readonly number[] => forms.get(codePoint) ?? syllable(codePoint)

mark(tables.dropped, DROPPED)
mark(tables.spaces, SPACE)
mark(tables.single, SINGLE)
kinds[0x0a] = LINE_BREAK
for (const entry of tables.becomes.split(' ')) {
  const [from = '', to = ''] = entry.split('>')
  const codePoint = Number.parseInt(from, 16)
  kinds[codePoint] = CHANGED
  forms.set(
    codePoint,
    to.split(',').map(hex => Number.parseInt(hex, 16)),
  )
}

// Hangul syllables, by the arithmetic of the Unicode Standard, section 3.12.
const FIRST_SYLLABLE = 0xac00
const SYLLABLES = 11_172
const [LEADING, VOWEL, TRAILING] = [0x1100, 0x1161, 0x11a7]
const [VOWELS, TRAILINGS] = [21, 28]
kinds.fill(CHANGED, FIRST_SYLLABLE, FIRST_SYLLABLE + SYLLABLES)

function syllable(codePoint: number): readonly number[] {
  const index = codePoint - FIRST_SYLLABLE
  const leading = LEADING + Math.floor(index / (VOWELS * TRAILINGS))
  const vowel = VOWEL + (Math.floor(index / TRAILINGS) % VOWELS)
  const trailing = index % TRAILINGS
  return trailing === 0 ? [leading, vowel] : [leading, vowel, TRAILING + trailing]
}

function mark(ranges: string, kind: number): void {
  for (const range of ranges.split(' ')) {
    const [first = '', last = first] = range.split('-')
    kinds.fill(kind, Number.parseInt(first, 16), Number.parseInt(last, 16) + 1)
  }
}
