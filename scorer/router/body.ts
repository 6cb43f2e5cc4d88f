import type { IncomingMessage } from 'node:http'

/** Memory for the bodies of requests that have not been answered yet. */
export type BodyMemory = { take(bytes: number): boolean; give(bytes: number): void }

/** Gives each tenant its view of the memory. What a single tenant may not take is left for the others. */
export const createBodyMemory = (
  maxBytes: number,
  maxBytesOfOne: number,
): ((tenant: string) => BodyMemory) => {
  let used = 0
  const usedBy = new Map<string, number>()
  return tenant => ({
    take(bytes) {
      const own = (usedBy.get(tenant) ?? 0) + bytes
      if (own > maxBytesOfOne || used + bytes > maxBytes) return false
      used += bytes
      usedBy.set(tenant, own)
      return true
    },
    give(bytes) {
      used -= bytes
      const own = (usedBy.get(tenant) ?? 0) - bytes
      if (own > 0) usedBy.set(tenant, own)
      else usedBy.delete(tenant)
    },
  })
}

/**
 * Reads the whole body into one piece and takes `memory` for it, which the caller gives back when the request is
 * answered. Refuses a body that is larger than `maxBytes`, or for which no memory is left.
 */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number,
  memory: BodyMemory,
): Promise<Uint8Array<ArrayBuffer> | 'too_large' | 'full'> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBytes) return 'too_large'
  const chunks: Buffer[] = []
  let size = 0
  let kept = false
  try {
    // Leaving the loop early must not destroy the socket: the refusal still has to be sent on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.byteLength > maxBytes) return 'too_large'
      if (!memory.take(chunk.byteLength)) return 'full'
      size += chunk.byteLength
      chunks.push(chunk)
    }
    // There may be no room for it.
    const body = joined(chunks, size)
    kept = true
    return body
  } finally {
    if (!kept) {
      memory.give(size)
      // Lets the rest through unread, because the next request on the connection comes after it.
      request.resume()
    }
  }
}

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> => {
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}
