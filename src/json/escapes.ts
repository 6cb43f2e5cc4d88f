/** Up to this many characters, calling the platform's parser costs more than doing its work here. */
const SHORT = 20

/**
 * What a JSON string between two quotes stands for; null if an escape is unknown or leaves half a surrogate pair.
 * The string is known to end at `end`, where its closing quote is.
 */
export const unescaped = (text: string, start: number, end: number): string | null =>
  end - start > SHORT ? parsed(text.slice(start - 1, end + 1)) : unescapedShort(text, start, end)

/** The platform knows the escapes. Its error quotes the text, so it must not leave this function. */
const parsed = (quoted: string): string | null => {
  try {
    const value: string = JSON.parse(quoted)
    return value.isWellFormed() ? value : null
  } catch {
    return null
  }
}

const unescapedShort = (text: string, start: number, end: number): string | null => {
  let value = ''
  let copied = start
  let anyUnits = false
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) !== BACKSLASH) continue
    if (copied < at) value += text.slice(copied, at)
    const letter = text.charCodeAt(++at)
    if (letter === SMALL_U) {
      const unit = hexUnit(text, at + 1)
      if (unit === null) return null
      value += String.fromCharCode(unit)
      anyUnits = true
      at += 4
    } else {
      const meant = ESCAPES[letter]
      if (meant === undefined) return null
      value += meant
    }
    copied = at + 1
  }
  if (copied < end) value += text.slice(copied, end)
  return anyUnits && !value.isWellFormed() ? null : value
}

/** The code unit that four hexadecimal digits name. The quote that ends the string is not a digit. */
const hexUnit = (text: string, start: number): number | null => {
  let unit = 0
  for (let at = start; at < start + 4; at++) {
    const digit = HEX_DIGITS[text.charCodeAt(at)]
    if (digit === undefined) return null
    unit = unit * 16 + digit
  }
  return unit
}

const BACKSLASH = 0x5c
const SMALL_U = 0x75
/** By the character after the backslash. */
const ESCAPES: Readonly<Record<number, string>> = Object.fromEntries(
  ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map(([letter = '', meant = '']) => [
    letter.charCodeAt(0),
    meant,
  ]),
)
const HEX_DIGITS: Readonly<Record<number, number>> = Object.fromEntries(
  [...'0123456789abcdefABCDEF'].map(digit => [digit.charCodeAt(0), Number.parseInt(digit, 16)]),
)
