import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SNAPSHOT_FOLDER } from '../../testing/snapshot.ts'
import { loadTokenizer } from '../snapshot/tokenizer-file.ts'
import type { Tokens } from './tokenizer.ts'

type Vector = { text: string; ids: string; spans: string }

/** The committed texts, or fresh ones that scorer/training/tokenizer_vectors.py has just written. */
const file = process.env.TOKENIZER_VECTORS ?? join(import.meta.dirname, 'vectors.json')
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }
const tokenizer = loadTokenizer(SNAPSHOT_FOLDER)
const NEWLINE = 11
const FIRST_BYTE = 200

const encode = (text: string): Tokens => {
  const tokens = tokenizer.encode(text, { spans: true })
  if (tokens === null) throw new Error('there was no limit to exceed')
  return tokens
}
const idsOf = (text: string): number[] => Array.from(encode(text).ids)
const asVector = (text: string): Vector => {
  const { ids, spans } = encode(text)
  const pairs = Array.from(spans?.starts ?? [], (start, i) => `${start}-${spans?.ends[i]}`)
  return { text, ids: ids.join(' '), spans: pairs.join(' ') }
}

describe('the tokenizer', () => {
  it(`gives the reference's tokens and spans for ${vectors.length} texts of many scripts`, () => {
    expect(vectors.length).toBeGreaterThan(100)
    const differing = vectors.filter(({ text, ids, spans }) => {
      const ours = asVector(text)
      return ours.ids !== ids || ours.spans !== spans
    })
    expect(differing).toEqual([])
  })

  it('never gives a marker for words in a text', () => {
    expect(Math.min(...idsOf('[SEP] [CLS] [PAD] [unused7] [MASK]'))).toBeGreaterThan(998)
  })

  it('knows a piece whose name has a special meaning in JavaScript', () => {
    expect(idsOf('prototype')).toEqual([8_773])
  })

  it('keeps line breaks, one token each', () => {
    expect(idsOf('\n\r\n').filter(id => id === NEWLINE)).toHaveLength(2)
  })

  it.each(['𓀀', '\u07ff', '\u0800', '\uffff', '\u{10000}'])(
    'spells %j, for which it has no piece, as UTF-8 bytes',
    text => {
      expect(idsOf(text)).toEqual(Array.from(new TextEncoder().encode(text), byte => FIRST_BYTE + byte))
    },
  )

  it('spells the first hundred code points of a longer word as if it ended there', () => {
    const letter = fc.constantFrom(...'aeinorstl', '𐐨')
    fc.assert(
      fc.property(fc.array(letter, { minLength: 101, maxLength: 250 }), letters => {
        const first = idsOf(letters.slice(0, 100).join(''))
        expect(idsOf(letters.join('')).slice(0, first.length)).toEqual(first)
      }),
    )
  })

  it('is blind to case and accents, composed or not', () => {
    expect(idsOf('Élan ÉLAN')).toEqual(idsOf('elan e\u0301lan'))
  })

  it('reads Korean syllables, up to the last, as their parts', () => {
    expect(idsOf('가힣')).toEqual(idsOf('가힣'.normalize('NFD')))
  })

  it.each([
    ['bold', '𝗙𝗿𝗲𝗲 𝐦𝐨𝐧𝐞𝐲 𝟒𝟐', 'free money 42'],
    ['full-width', 'Ｆｒｅｅ！', 'free!'],
    ['circled', 'ⓕⓡⓔⓔ ③', 'free 3'],
    ['raised', 'ᶠʳᵉᵉ', 'free'],
    ['joined', 'oﬃce ﬁle', 'office file'],
    ['abbreviated', '5㎏ 20℃', '5kg 20°c'],
  ])('reads %s characters as those that they stand for', (_, text, plain) => {
    expect(idsOf(text)).toEqual(idsOf(plain))
  })

  it.each([
    ['10²', '102'],
    ['Decider™', 'Decidertm'],
    ['№ 5', 'no 5'],
    ['wait…', 'wait...'],
  ])('tells %j from %j', (text, other) => {
    expect(idsOf(text)).not.toEqual(idsOf(other))
  })

  it('ignores half a surrogate pair', () => {
    expect(idsOf('a\ud800b')).toEqual(idsOf('ab'))
  })

  it('stops as soon as a text is over the limit, and only then', () => {
    const text = 'word '.repeat(10)
    expect(tokenizer.encode(text, { limit: 10 })?.ids).toHaveLength(10)
    expect(tokenizer.encode(text, { limit: 9 })).toBeNull()
    expect(tokenizer.encode('x'.repeat(5_000), { limit: 9 })).toBeNull()
  })

  it('gives spans that lie inside the text and never go back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), text => {
        const { ids, spans } = encode(text)
        let [lastStart, lastEnd] = [0, 0]
        for (let i = 0; i < ids.length; i++) {
          const [start = -1, end = -1] = [spans?.starts[i], spans?.ends[i]]
          expect(start).toBeGreaterThanOrEqual(lastStart)
          expect(end).toBeGreaterThanOrEqual(lastEnd)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          lastStart = start
          lastEnd = end
        }
      }),
    )
  })

  it('gives two texts joined by a space the tokens of each in turn', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(idsOf(`${a} ${b}`)).toEqual([...idsOf(a), ...idsOf(b)])
      }),
    )
  })
})
