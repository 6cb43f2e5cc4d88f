import { constants, zstdDecompressSync } from 'node:zlib'
import { Problem } from '../problem.ts'
import { tooLarge } from './bytes.ts'

/** A window larger than the largest body could only serve to exhaust memory. */
const WINDOW_LOG = 23

/** What zlib returns with `info: true`; its types do not cover that. */
type Unpacked = { buffer: Uint8Array; engine: { bytesWritten: number } }

/**
 * Unpacks a zstd body of one frame (RFC 8878) without ever holding more than `maxBytes` of it: a small frame may
 * promise gigabytes.
 */
export const unzstd = (packed: Uint8Array, maxBytes: number): Uint8Array => {
  const { buffer, engine } = unpacked(packed, maxBytes)
  // zlib stops at the end of the first frame and ignores what follows: https://github.com/nodejs/node/issues/64741
  if (engine.bytesWritten !== packed.byteLength) throw unreadable('the body must be a single zstd frame')
  return buffer
}

const unpacked = (packed: Uint8Array, maxBytes: number): Unpacked => {
  try {
    return zstdDecompressSync(packed, {
      info: true,
      maxOutputLength: maxBytes,
      params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG },
    }) as unknown as Unpacked
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes, ' when unpacked')
    throw unreadable('the body is not a zstd frame, as its Content-Encoding says')
  }
}

const unreadable = (rule: string): Problem => new Problem('invalid_schema', rule, { param: 'body' })
