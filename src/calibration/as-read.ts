/**
 * A text without what the model does not read: case, accents, the style of letters (bold, full-width), control and
 * zero-width characters, how much white space there is, and whether there is any beside punctuation. No finer than the
 * tokenizer, in a few places coarser: to the model, a line break is not a space, and 10² is not 102.
 */
export const asRead = (text: string): string =>
  text
    // One by one, like the tokenizer: sorting a long run of marks takes time that grows with the square of its length.
    .replace(/\P{ASCII}/gu, decomposed)
    .replace(UNREAD, '')
    // Lower case alone has two forms of sigma, by its place in the word.
    .toLowerCase()
    .toUpperCase()
    .replace(/\s+/gu, ' ')
    .replace(/ ?([^\p{L}\p{N} ]|\p{Script=Han}) ?/gu, '$1')
    .trim()

const decomposed = (character: string): string => {
  const compatible = character.normalize('NFKD')
  // A few characters stand for several words, up to eighteen letters. The model does not read those either.
  return compatible.includes(' ') ? character.normalize('NFD') : compatible
}

const UNREAD = /(?![\t\n\r])[\p{Mn}\p{Cc}\p{Cf}\p{Cs}\ufffd]/gu
