import type { IncomingMessage } from 'node:http'

/** Memory for bodies of requests that are not answered yet. */
export type BodyMemory = { take(bytes: number): boolean; give(bytes: number): void }

export const createBodyMemory = (maxBytes: number): BodyMemory => {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false
      used += bytes
      return true
    },
    give(bytes) {
      used -= bytes
    },
  }
}

/**
 * The whole body in one piece of its own, for which `memory` is taken: the caller gives it back when the request is
 * answered. Or why not: it is larger than `maxBytes`, or there are too many others.
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
    // Leaving early must not destroy the socket: the refusal still has to go out on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size + chunk.byteLength > maxBytes) return 'too_large'
      if (!memory.take(chunk.byteLength)) return 'full'
      size += chunk.byteLength
      chunks.push(chunk)
    }
    kept = true
    return joined(chunks, size)
  } finally {
    if (!kept) {
      memory.give(size)
      // The rest is let through unread: the next request on the connection comes behind it.
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
