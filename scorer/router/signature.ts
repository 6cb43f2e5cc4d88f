import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { PROTOCOL, type Route, SIGNATURE_WINDOW_MS, signedText } from '../protocol.ts'

/** By id. */
export type Keys = ReadonlyMap<string, KeyObject>

/** What the holder of a key vouches for: a body with this digest. */
type Claim = { readonly bodySha256: string }

/** Why a signature is refused. */
export type Flaw =
  | 'missing'
  | 'malformed'
  | 'wrong_version'
  | 'unknown_key'
  /** Not made with the key of this id, or for another route or tenant. */
  | 'wrong_key'
  /** Made with the key, but too long ago or in the future. */
  | 'clock'
  | 'other_body'

const HEADER = /^(v\d+) (?:([\w.-]{1,64}) (\d{1,16}) ([0-9a-f]{64}) ([0-9a-f]{64})$)?/

/**
 * The claim of a header that a known key signed recently. Otherwise its flaw, and the body must not be read: the bodies
 * of strangers would take memory from those of callers.
 */
export const readClaim = (
  header: string | undefined,
  { route, tenant }: { route: Route; tenant: string },
  keys: Keys,
  now: number,
): Claim | Flaw => {
  if (header === undefined) return 'missing'
  const [, version, keyId = '', timestamp, bodySha256, mac] = HEADER.exec(header) ?? []
  if (version !== undefined && version !== PROTOCOL) return 'wrong_version'
  if (bodySha256 === undefined || mac === undefined) return 'malformed'
  const key = keys.get(keyId)
  if (key === undefined) return 'unknown_key'
  const timestampMs = Number(timestamp)
  const expected = createHmac('sha256', key)
    .update(signedText({ keyId, timestampMs, route, tenant, bodySha256 }))
    .digest()
  if (!timingSafeEqual(expected, Buffer.from(mac, 'hex'))) return 'wrong_key'
  return Math.abs(now - timestampMs) > SIGNATURE_WINDOW_MS ? 'clock' : { bodySha256 }
}

/** Whether this is the body that was signed. */
export const isOf = (body: Uint8Array, { bodySha256 }: Claim): boolean =>
  createHash('sha256').update(body).digest('hex') === bodySha256
