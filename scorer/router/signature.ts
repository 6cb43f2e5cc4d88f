import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { SIGNATURE_WINDOW_MS, signedText } from '../protocol.ts'

export type Keys = ReadonlyMap<string, Uint8Array>

/** What a signature header claims, before the body is there to check it. */
export type Claim = { readonly keyId: string; readonly timestampMs: number; readonly mac: Uint8Array }

const HEADER = /^v1 ([\w.-]{1,64}) (\d{1,16}) ([0-9a-f]{64})$/

/** The claim of a header whose key is known and whose time is near: anything else is not worth reading a body for. */
export const readClaim = (header: string | undefined, keys: Keys, now: number): Claim | null => {
  const [, keyId, timestamp, mac] = HEADER.exec(header ?? '') ?? []
  if (keyId === undefined || timestamp === undefined || mac === undefined || !keys.has(keyId)) return null
  const timestampMs = Number(timestamp)
  if (Math.abs(now - timestampMs) > SIGNATURE_WINDOW_MS) return null
  return { keyId, timestampMs, mac: Buffer.from(mac, 'hex') }
}

/** Whether the claim's key really signed this body. Takes the same time whatever the answer. */
export const isSigned = (claim: Claim, body: Uint8Array, keys: Keys): boolean => {
  const key = keys.get(claim.keyId)
  if (key === undefined) return false
  const digest = createHash('sha256').update(body).digest('hex')
  const expected = createHmac('sha256', key)
    .update(signedText(claim.keyId, claim.timestampMs, digest))
    .digest()
  return timingSafeEqual(expected, claim.mac)
}
