import { Problem } from '../problem.ts'

/** So much of a body is kept of anybody. */
const OF_ANYBODY_BYTES = 65_536

/** Throws why no more than that is kept of this sender. */
export type Vouch = () => Promise<unknown>

/** Time for the largest body on a slow line. What has arrived of one stays in memory, and holds a reservation. */
const ARRIVAL_MS = 120_000

/** As much of a refused body is read on: about what Cloudflare takes of one. Who sends more is cut off. */
const READ_ON_BYTES = 100_000_000

/** The size a message declares; null where it declares none, or where unpacking may make it another. */
export const declaredBytes = (headers: Headers): number | null => {
  const declared = headers.get('content-length')
  return declared === null || !/^\d{1,15}$/.test(declared) || headers.has('content-encoding')
    ? null
    : Number(declared)
}

/**
 * The whole body of a message, or null when it is larger than `maxBytes`: then no more of it is read. The rest of
 * it is left alone, not cancelled: a sender whose connection is cut off in the middle never hears why.
 */
export const bytesOf = async (
  message: Request | Response,
  maxBytes: number,
  vouch: Vouch = async () => {},
): Promise<Uint8Array | null> => {
  const declared = declaredBytes(message.headers)
  if (declared === null) return streamed(message.body, maxBytes, vouch)
  if (declared > maxBytes) return null
  if (declared > OF_ANYBODY_BYTES) await vouch()
  // HTTP itself ends a body at its declared length, and reading it in one piece is many times cheaper.
  const bytes = await message.bytes()
  return bytes.byteLength <= maxBytes ? bytes : null
}

/**
 * The same of a body that somebody is still sending. Throws the 422 of one that does not come to its end; one that is
 * refused is read to it all the same, or who sends it would be cut off and never hear why, but none of it is kept.
 */
export const arriving = async (
  request: Request,
  maxBytes: number,
  vouch?: Vouch,
): Promise<Uint8Array | null> => {
  // Of a body that nobody began to read, its sender hears at once.
  if ((declaredBytes(request.headers) ?? 0) > maxBytes) return null
  const { promise: late, reject } = Promise.withResolvers<never>()
  const rule = `body must arrive within ${ARRIVAL_MS / 1_000} seconds`
  const timer = setTimeout(() => reject(new Problem('invalid_schema', rule, { param: 'body' })), ARRIVAL_MS)
  let bytes: Uint8Array | null = null
  try {
    bytes = await Promise.race([bytesOf(request, maxBytes, vouch), late])
    return bytes
  } finally {
    if (bytes === null) await Promise.race([drained(request.body), late]).catch(() => {})
    clearTimeout(timer)
  }
}

const streamed = async (
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  vouch: Vouch,
): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream?.values({ preventCancel: true }) ?? []) {
    const before = size
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
    if (before <= OF_ANYBODY_BYTES && size > OF_ANYBODY_BYTES) await vouch()
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

const drained = async (stream: ReadableStream<Uint8Array> | null): Promise<void> => {
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > READ_ON_BYTES) return
  }
}
