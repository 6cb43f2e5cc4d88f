import { describe, expect, it } from 'vitest'
import {
  CHANGED,
  DROPPED,
  formOf,
  kindOf,
  LINE_BREAK,
  SINGLE,
  SPACE,
} from '../../scorer/core/tokenizer/normal-form.ts'
import { cpuMs } from '../../test/cpu-time.ts'
import { asRead } from './as-read.ts'

/** What the tokenizer reads of a code point, with spaces around a word of its own; null for any other letter. */
const tokenized = (codePoint: number): string | null => {
  const character = String.fromCodePoint(codePoint)
  switch (kindOf(codePoint)) {
    case DROPPED:
      return ''
    case SPACE:
    case LINE_BREAK:
      return ' '
    case SINGLE:
      return ` ${character} `
    case CHANGED:
      return formOf(codePoint)
        .map(part => tokenized(part) ?? String.fromCodePoint(part))
        .join('')
    default:
      return null
  }
}

describe('asRead', () => {
  it('is blind to all that the tokenizer is blind to', { timeout: 60_000 }, () => {
    const seen: string[] = []
    for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
      const known = tokenized(codePoint)
      const character = String.fromCodePoint(codePoint)
      if (known === null || asRead(`a${character}b`) === asRead(`a${known}b`)) continue
      seen.push(codePoint.toString(16))
    }
    // A mark that Unicode has moved to another category since the tokenizer's tables were made.
    expect(seen).toEqual(['1171e'])
  })

  it('is blind to white space at either end and to how much there is elsewhere', () => {
    expect(asRead(' \tIs  it\r\n\nopen ? ')).toBe(asRead('Is it open?'))
  })

  it('is blind to case and accents in any place of a word', () => {
    expect(asRead('ΟΔΟΣ Ångström STRASSE')).toBe(asRead('οδος a\u030angstrom straße'))
  })

  it('is blind to the style of letters', () => {
    expect(asRead('𝗙𝗿𝗲𝗲 ｆｒｅｅ ⓕⓡⓔⓔ oﬃce')).toBe(asRead('free free free office'))
  })

  it('sees words, numbers and where they end', () => {
    const texts = ['flat 1 23', 'flat 12 3', 'flat 123', 'flat 1.23', 'flat -1 23', 'Flut 1 23']
    expect(new Set(texts.map(asRead)).size).toBe(texts.length)
  })

  it.each(['\u0300\u0316', '\u{1d16d}\u302e', ' ', ', ', '\u1f82', '\u321d', '\ufdfa'])(
    'takes seconds at most for a body of nothing but %j',
    { timeout: 60_000 },
    repeated => {
      const body = repeated.repeat(4_000_000 / new TextEncoder().encode(repeated).length)
      expect(cpuMs(() => asRead(body))).toBeLessThan(10_000)
    },
  )
})
