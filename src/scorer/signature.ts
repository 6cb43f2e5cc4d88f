import { signedText } from '../../scorer/protocol.ts'
import { macUnder } from './mac.ts'

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

/** Vouches for some very bytes at some moment. */
export type Signer = (body: Uint8Array, nowMs: number) => Promise<string>

export const signerWith = ({ id, secret }: SigningKey): Signer => {
  const mac = macUnder(secret)
  return async (body, nowMs) => {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex')
    const signature = await mac(UTF8.encode(signedText(id, nowMs, digest)))
    return `v2 ${id} ${nowMs} ${digest} ${signature.toString('hex')}`
  }
}

const UTF8 = new TextEncoder()
