/**
 * A text without what the model does not read: case, accents, control and zero-width characters, how much white space
 * there is, and whether there is any beside punctuation. No finer than the tokenizer, in a few places coarser: to the
 * model, a line break is not a space.
 */
export const asRead = (text: string): string =>
  text
    // One by one, like the tokenizer: sorting a long run of marks takes time that grows with the square of its length.
    .replace(/\P{ASCII}/gu, character => character.normalize('NFD'))
    .replace(UNREAD, '')
    // Lower case alone has two forms of sigma, by its place in the word.
    .toLowerCase()
    .toUpperCase()
    .replace(/\s+/gu, ' ')
    .replace(/ ?([^\p{L}\p{N} ]|\p{Script=Han}) ?/gu, '$1')
    .trim()

const UNREAD = /(?![\t\n\r])[\p{Mn}\p{Cc}\p{Cf}\p{Cs}\ufffd]/gu
