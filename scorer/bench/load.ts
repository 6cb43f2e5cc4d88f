import { STATE_MARKERS } from '../core/rendering/markers.ts'
import type { ScoreUnit, UnitQuestion } from '../protocol.ts'

// Each word is one token, so a text of n words is n tokens.
const WORDS =
  'the order was late and customer asked for money back after two weeks in may with no answer from our team about payment'.split(
    ' ',
  )

let seed = 1
const draw = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
  return (seed >> 8) % below
}
const words = (count: number): string =>
  Array.from({ length: count }, () => WORDS[draw(WORDS.length)]).join(' ')

/** A state of `tokens` tokens, markers included, that nobody has sent before. */
export const freshState = (tokens: number): ScoreUnit['state'] => ({
  form: 'text',
  text: words(tokens - STATE_MARKERS),
})

/** 60 tokens, markers included: instructions of 24 and four options of 9. */
export const question = (): UnitQuestion => ({
  type: 'choice',
  instructions: words(21),
  options: Array.from({ length: 4 }, (_, o) => [`${WORDS[o]} ${o}`, words(4)]),
})

export const three = (): UnitQuestion[] => [question(), question(), question()]
