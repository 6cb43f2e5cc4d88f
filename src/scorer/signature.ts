import { createHash, createHmac } from 'node:crypto'
import { signedText } from '../../scorer/protocol.ts'

export type SigningKey = { id: string; secret: Uint8Array }

/** Reads `<key id>:<base64url key>`. Throws, without quoting anything, on what cannot be a key. */
export const readSigningKey = (text: string): SigningKey => {
  const [id, encoded, ...rest] = text.trim().split(':')
  const secret = Buffer.from(encoded ?? '', 'base64url')
  if (!id || rest.length > 0 || secret.length === 0) {
    throw new Error('SCORER_SECRET must be <key id>:<base64url key>')
  }
  return { id, secret }
}

/** Vouches for these very bytes at this moment. */
export const signatureOf = (body: Uint8Array, key: SigningKey, nowMs: number): string => {
  const digest = createHash('sha256').update(body).digest('hex')
  const mac = createHmac('sha256', key.secret)
    .update(signedText(key.id, nowMs, digest))
    .digest('hex')
  return `v1 ${key.id} ${nowMs} ${mac}`
}
