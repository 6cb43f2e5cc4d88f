import { createHmac } from 'node:crypto'

export type CacheKeys = { keyOf(tenant: string, snapshot: string, stateIds: Int32Array): string }

/**
 * Names of states in the prefix cache: an HMAC over tenant, snapshot and rendered state, each behind its length, so
 * that no two triples share their bytes. The secret is the process's own: names mean nothing outside it.
 */
export const createCacheKeys = (secret: Uint8Array): CacheKeys => ({
  keyOf(tenant, snapshot, stateIds) {
    const hmac = createHmac('sha256', secret)
    const bytes = new Uint8Array(stateIds.buffer, stateIds.byteOffset, stateIds.byteLength)
    for (const part of [Buffer.from(tenant), Buffer.from(snapshot), bytes]) {
      const length = Buffer.alloc(8)
      length.writeBigUInt64BE(BigInt(part.byteLength))
      hmac.update(length).update(part)
    }
    return hmac.digest('base64url')
  },
})
