import type { IncomingMessage } from 'node:http'

/** The whole body in one piece of its own, or null as soon as it is larger than `maxBytes`. */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBytes) return null
  const chunks: Buffer[] = []
  let size = 0
  // Leaving early must not destroy the socket: the refusal still has to go out on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}
