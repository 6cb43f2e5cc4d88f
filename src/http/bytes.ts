import { Problem } from '../problem.ts'

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
export const bytesOf = async (message: Request | Response, maxBytes: number): Promise<Uint8Array | null> => {
  const declared = declaredBytes(message.headers)
  if (declared !== null && declared > maxBytes) return null
  // HTTP itself ends a body at its declared length, and reading it in one piece is many times cheaper.
  const bytes = declared === null ? await streamed(message.body, maxBytes) : await message.bytes()
  return bytes !== null && bytes.byteLength <= maxBytes ? bytes : null
}

/** The same of a body that somebody is still sending. Throws the 422 of one that does not come to its end. */
export const arriving = async (request: Request, maxBytes: number): Promise<Uint8Array | null> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const rule = `body must arrive within ${ARRIVAL_MS / 1_000} seconds`
  const timer = setTimeout(() => reject(new Problem('invalid_schema', rule, { param: 'body' })), ARRIVAL_MS)
  try {
    return await Promise.race([bytesOf(request, maxBytes), late])
  } finally {
    clearTimeout(timer)
  }
}

const streamed = async (
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream?.values({ preventCancel: true }) ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
