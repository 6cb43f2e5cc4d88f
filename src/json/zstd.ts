import { constants, zstdDecompressSync } from 'node:zlib'
import { Problem } from '../problem.ts'

/** A window larger than the largest body would only serve to exhaust memory. */
const WINDOW_LOG = 23

/**
 * Unpacks a zstd body (RFC 8878) without ever holding more than `maxBytes` of it: a small frame may promise
 * gigabytes.
 */
export const unzstd = (packed: Uint8Array, maxBytes: number): Uint8Array => {
  try {
    return zstdDecompressSync(packed, {
      maxOutputLength: maxBytes,
      params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG },
    })
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Problem('request_too_large', `the body must not exceed ${maxBytes} bytes when unpacked`, {
        param: 'body',
      })
    }
    throw new Problem('invalid_schema', 'the body is not a zstd frame, as its Content-Encoding says', {
      param: 'body',
    })
  }
}
