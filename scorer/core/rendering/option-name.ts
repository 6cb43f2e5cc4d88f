/** Between a small letter or a digit and a capital, or before the last capital of several that begins a word. */
const SEAM = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})/g
const WORD = /[A-Za-z0-9]+/g

/**
 * The key of an option as the model reads it. The tokenizer drops capitals, so `RefundRequest` would be one word that
 * nobody knows; it is read as `Refund_Request`. What the vocabulary knows as a word, such as `YouTube`, stays whole.
 */
export const optionName = (key: string, isKnownWord: (word: string) => boolean): string =>
  key.replace(WORD, word => {
    const parted = word.replace(SEAM, '_')
    return parted === word || isKnownWord(word) ? word : parted
  })
