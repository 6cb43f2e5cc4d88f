import { createHash, createHmac } from 'node:crypto'
import {
  NAMED_KEY,
  type NamedKey,
  PROTOCOL,
  type Route,
  readNamedKeys,
  signedText,
} from '../../scorer/protocol.ts'

/** Reads the one key of `SCORER_SECRET`. Throws, without quoting anything, if the text is not one key. */
export const readSigningKey = (text: string): NamedKey => {
  const [key, ...more] = readNamedKeys(text) ?? []
  if (key === undefined || more.length > 0) throw new Error(`SCORER_SECRET must be ${NAMED_KEY}`)
  return key
}

/** The signature of exactly these bytes, sent to a route for a tenant at a given moment. */
export const signed = (
  { route, tenant, body }: { route: Route; tenant: string; body: Uint8Array },
  timestampMs: number,
  { id, secret }: NamedKey,
): string => {
  const bodySha256 = createHash('sha256').update(body).digest('hex')
  const mac = createHmac('sha256', secret)
    .update(signedText({ keyId: id, timestampMs, route, tenant, bodySha256 }))
    .digest('hex')
  return `${PROTOCOL} ${id} ${timestampMs} ${bodySha256} ${mac}`
}
