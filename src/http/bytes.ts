import { Problem } from '../problem.ts'

/** So much of a body is kept of anybody. */
const OF_ANYBODY_BYTES = 65_536

/** Throws why no more than that is kept of this sender. */
export type Vouch = () => Promise<unknown>

/** Time for the largest body on a slow line. What has arrived of one stays in memory, and holds a reservation. */
const ARRIVAL_MS = 120_000

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
 * The same of a body that somebody is still sending. Throws the 422 of one that does not come to its end; a stranger's
 * is read to it all the same, or who sends it would be cut off and never hear why, but none of it is kept.
 */
export const arriving = async (
  request: Request,
  maxBytes: number,
  vouch?: Vouch,
): Promise<Uint8Array | null> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const rule = `body must arrive within ${ARRIVAL_MS / 1_000} seconds`
  const timer = setTimeout(() => reject(new Problem('invalid_schema', rule, { param: 'body' })), ARRIVAL_MS)
  try {
    const bytes = bytesOf(request, maxBytes, vouch).catch(async error => {
      await drained(request.body, maxBytes).catch(() => {})
      throw error
    })
    return await Promise.race([bytes, late])
  } finally {
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

const drained = async (stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<void> => {
  let size = 0
  for await (const chunk of stream?.values({ preventCancel: true }) ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return
  }
}
