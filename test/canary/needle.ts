// A canary is a text that exists nowhere else. If it turns up anywhere, in any encoding, content has leaked.
import { randomBytes } from 'node:crypto'

export const newCanary = (): string => `Canary${randomBytes(12).toString('hex')}`

/** Every encoding ("dress") of a canary, as bytes to look for. */
export const dressesOf = (canary: string): { dress: string; bytes: Buffer }[] => {
  const utf8 = Buffer.from(canary)
  const hex = utf8.toString('hex')
  return [
    { dress: 'as it is', bytes: utf8 },
    { dress: 'in capitals', bytes: Buffer.from(canary.toUpperCase()) },
    { dress: 'UTF-16', bytes: Buffer.from(canary, 'utf16le') },
    { dress: 'hex', bytes: Buffer.from(hex) },
    { dress: 'HEX', bytes: Buffer.from(hex.toUpperCase()) },
    { dress: 'JSON escapes', bytes: Buffer.from(escaped(canary, code => `\\u00${code}`)) },
    { dress: 'percent escapes', bytes: Buffer.from(escaped(canary, code => `%${code}`)) },
    { dress: 'a list of bytes', bytes: Buffer.from([...utf8].join(',')) },
    ...[0, 1, 2].map(offset => ({ dress: `base64 at ${offset}`, bytes: base64At(utf8, offset) })),
  ]
}

export type Find = { canary: string; dress: string }

/** Canaries in a haystack. */
export const findIn = (haystack: Buffer, canaries: readonly string[]): Find[] =>
  canaries.flatMap(canary =>
    dressesOf(canary)
      .filter(({ bytes }) => haystack.includes(bytes))
      .map(({ dress }) => ({ canary, dress })),
  )

const escaped = (text: string, write: (code: string) => string): string =>
  [...Buffer.from(text)].map(byte => write(byte.toString(16).padStart(2, '0'))).join('')

/** What base64 makes of a text `offset` bytes into a group of three, without the characters that neighbours change. */
const base64At = (text: Buffer, offset: number): Buffer => {
  const encoded = Buffer.concat([Buffer.alloc(offset), text]).toString('base64')
  const first = Math.ceil((offset * 8) / 6)
  const last = Math.floor(((offset + text.length) * 8) / 6)
  return Buffer.from(encoded.slice(first, last))
}
