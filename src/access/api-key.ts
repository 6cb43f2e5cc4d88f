import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEY_PREFIX } from './key-hint.ts'

// An API key is `sk_decider_`, 30 random base62 characters and their 6-character checksum, so that a mistyped or
// made-up key is refused without any lookup and a scanner can tell a real one from prose.
// The checksum is GitHub's: https://github.blog/engineering/behind-githubs-new-authentication-token-formats/

const BODY_LENGTH = 30
const CHECKSUM_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`)

/** True when the text has the form of a key and its checksum holds; says nothing about whether it was issued. */
export const isWellFormedApiKey = (text: string): boolean => {
  if (!SHAPE.test(text)) return false
  const body = text.slice(API_KEY_PREFIX.length, -CHECKSUM_LENGTH)
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(body)
}

/** Generates a key. Bytes that would favour some characters are discarded. */
export const generateApiKey = (randomBytes: (count: number) => Uint8Array): string => {
  const fairBelow = 256 - (256 % BASE62.length)
  let body = ''
  while (body.length < BODY_LENGTH) {
    for (const byte of randomBytes(BODY_LENGTH)) {
      if (byte < fairBelow && body.length < BODY_LENGTH) body += BASE62.charAt(byte % BASE62.length)
    }
  }
  return API_KEY_PREFIX + body + checksumOf(body)
}

/** What is stored and looked up instead of the key. */
export const hashApiKey = (key: string): string => hash('sha256', key, 'hex')

/** CRC-32 of the text in base62, zero-padded. */
export const checksumOf = (body: string): string => {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
