import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { SIGNATURE_WINDOW_MS, signedText } from '../protocol.ts'

export type Keys = ReadonlyMap<string, Uint8Array>

/** What the holder of a key vouches for: a body with this digest. */
export type Claim = { readonly bodySha256: string }

const HEADER = /^v2 ([\w.-]{1,64}) (\d{1,16}) ([0-9a-f]{64}) ([0-9a-f]{64})$/

/**
 * The claim of a header that a known key signed recently. Otherwise null, and the body must not be read: the bodies of
 * strangers would take memory from those of callers.
 */
export const readClaim = (header: string | undefined, keys: Keys, now: number): Claim | null => {
  const [, keyId = '', timestamp, bodySha256, mac] = HEADER.exec(header ?? '') ?? []
  const key = keys.get(keyId)
  if (key === undefined || bodySha256 === undefined || mac === undefined) return null
  const timestampMs = Number(timestamp)
  if (Math.abs(now - timestampMs) > SIGNATURE_WINDOW_MS) return null
  const expected = createHmac('sha256', key)
    .update(signedText(keyId, timestampMs, bodySha256))
    .digest()
  return timingSafeEqual(expected, Buffer.from(mac, 'hex')) ? { bodySha256 } : null
}

/** Whether this is the body that was signed. */
export const isOf = (body: Uint8Array, { bodySha256 }: Claim): boolean =>
  createHash('sha256').update(body).digest('hex') === bodySha256
