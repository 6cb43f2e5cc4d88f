import { Problem } from '../problem.ts'

/** This much of a body is kept for any sender. */
const OF_ANYBODY_BYTES = 65_536

/** Throws the reason if no more than that is kept for this sender. */
type Vouch = () => Promise<unknown>

/** Time for the largest body on a slow line. What has arrived occupies memory meanwhile, even past its reservation. */
export const ARRIVAL_MS = 120_000

/** How much more of a refused body is read: about as much as Cloudflare accepts. A sender of more is cut off. */
const READ_ON_BYTES = 100_000_000

const PIECE_BYTES = 16_384

/** The size a message declares; null if it declares none, or if unpacking may change it. */
export const declaredBytes = (headers: Headers): number | null => {
  const declared = headers.get('content-length')
  return declared === null || !/^\d{1,15}$/.test(declared) || headers.has('content-encoding')
    ? null
    : Number(declared)
}

/**
 * The whole body of a message, or null if it is larger than `maxBytes`. Then the rest is neither read nor cancelled: a
 * sender whose connection is cut off in the middle never hears why.
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
 * The whole body of a request that is still being sent. Throws a 413 if it is larger, and a 422 if it does not come to
 * its end. A refused body is read to its end too, without keeping any of it: otherwise its sender would be cut off and
 * never hear why.
 */
export const arriving = async (request: Request, maxBytes: number, vouch?: Vouch): Promise<Uint8Array> => {
  // The sender of a body that nobody began to read hears at once.
  if ((declaredBytes(request.headers) ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const rule = `body must arrive within ${ARRIVAL_MS / 1_000} seconds`
  const timer = setTimeout(() => reject(new Problem('invalid_schema', rule, { param: 'body' })), ARRIVAL_MS)
  let bytes: Uint8Array | null = null
  try {
    bytes = await Promise.race([bytesOf(request, maxBytes, vouch), late])
    if (bytes === null) throw tooLarge(maxBytes)
    return bytes
  } catch (error) {
    // The platform's own error is that the sender has hung up: no fault, and nobody hears of it.
    throw error instanceof Problem
      ? error
      : new Problem('invalid_schema', 'body ended early', { param: 'body' })
  } finally {
    if (bytes === null) await Promise.race([drained(request.body), late]).catch(() => {})
    clearTimeout(timer)
  }
}

export const tooLarge = (maxBytes: number, when = ''): Problem =>
  new Problem('request_too_large', `body must not exceed ${maxBytes} bytes${when}`, { param: 'body' })

const streamed = async (
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  vouch: Vouch,
): Promise<Uint8Array | null> => {
  let bytes = new Uint8Array()
  let size = 0
  for await (const piece of piecesOf(stream)) {
    const before = size
    size += piece.byteLength
    if (size > maxBytes) return null
    if (before <= OF_ANYBODY_BYTES && size > OF_ANYBODY_BYTES) await vouch()
    if (size > bytes.byteLength) bytes = new Uint8Array(bytes.buffer.transfer(Math.min(2 * size, maxBytes)))
    bytes.set(piece, before)
  }
  return bytes.subarray(0, size)
}

const drained = async (stream: ReadableStream<Uint8Array> | null): Promise<void> => {
  let size = 0
  for await (const piece of piecesOf(stream)) {
    size += piece.byteLength
    if (size > READ_ON_BYTES) return
  }
}

/** The platform's types leave out `min`, the bytes that a reading waits for. */
type PatientReader = {
  read(
    room: Uint8Array<ArrayBuffer>,
    options: { min: number },
  ): Promise<{ value?: Uint8Array<ArrayBuffer> | undefined }>
  releaseLock(): void
}

/**
 * All that comes, in pieces that are overwritten once the next one is asked for. Asking for each chunk by itself would
 * take eight times the processor time if a sender sends single bytes.
 */
async function* piecesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return
  const reader: PatientReader = stream.getReader({ mode: 'byob' })
  try {
    let room = new Uint8Array(PIECE_BYTES)
    while (true) {
      const { value } = await reader.read(room, { min: PIECE_BYTES })
      if (!value?.byteLength) return
      yield value
      room = new Uint8Array(value.buffer)
    }
  } finally {
    reader.releaseLock()
  }
}
