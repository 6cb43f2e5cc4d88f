import { NAMED_KEY, type NamedKey, readNamedKeys, signedText } from '../../scorer/protocol.ts'
import { macUnder } from './mac.ts'

/** Reads the one key of `SCORER_SECRET`. Throws, without quoting anything, on what cannot be one. */
export const readSigningKey = (text: string): NamedKey => {
  const [key, ...more] = readNamedKeys(text) ?? []
  if (key === undefined || more.length > 0) throw new Error(`SCORER_SECRET must be ${NAMED_KEY}`)
  return key
}

/** Vouches for some very bytes at some moment. */
export type Signer = (body: Uint8Array, nowMs: number) => Promise<string>

export const signerWith = ({ id, secret }: NamedKey): Signer => {
  const mac = macUnder(secret)
  return async (body, nowMs) => {
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', body)).toString('hex')
    const signature = await mac(UTF8.encode(signedText(id, nowMs, digest)))
    return `v2 ${id} ${nowMs} ${digest} ${signature.toString('hex')}`
  }
}

const UTF8 = new TextEncoder()
