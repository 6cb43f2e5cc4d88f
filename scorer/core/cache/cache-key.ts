import { createHmac, createSecretKey } from 'node:crypto'

export type CacheKeys = { keyOf(tenant: string, snapshot: string, ids: Int32Array): string }

/**
 * Keys of states and questions in the caches: an HMAC over tenant, snapshot and rendered tokens, each preceded by its
 * length so that no two triples give the same bytes. The secret belongs to the process: keys mean nothing outside it.
 */
export const createCacheKeys = (secret: Uint8Array): CacheKeys => {
  // Given the bytes instead, Node would take longer to find out what they are than for the HMAC.
  const key = createSecretKey(secret)
  return {
    keyOf(tenant, snapshot, ids) {
      const hmac = createHmac('sha256', key)
      const bytes = new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength)
      for (const part of [Buffer.from(tenant), Buffer.from(snapshot), bytes]) {
        const length = Buffer.alloc(8)
        length.writeBigUInt64BE(BigInt(part.byteLength))
        hmac.update(length).update(part)
      }
      return hmac.digest('base64url')
    },
  }
}
