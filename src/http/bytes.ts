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
