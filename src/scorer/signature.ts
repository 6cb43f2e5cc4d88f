import { createHash, createHmac } from 'node:crypto'
import { NAMED_KEY, type NamedKey, PROTOCOL, readNamedKeys, signedText } from '../../scorer/protocol.ts'

/** Reads the one key of `SCORER_SECRET`. Throws, without quoting anything, if the text is not one key. */
export const readSigningKey = (text: string): NamedKey => {
  const [key, ...more] = readNamedKeys(text) ?? []
  if (key === undefined || more.length > 0) throw new Error(`SCORER_SECRET must be ${NAMED_KEY}`)
  return key
}

/** Signs exactly these bytes at a given moment. */
export const signBody = (body: Uint8Array, nowMs: number, { id, secret }: NamedKey): string => {
  const digest = createHash('sha256').update(body).digest('hex')
  const mac = createHmac('sha256', secret)
    .update(signedText(id, nowMs, digest))
    .digest('hex')
  return `${PROTOCOL} ${id} ${nowMs} ${digest} ${mac}`
}
