import { constants, zstdDecompressSync } from 'node:zlib'
import { Problem } from '../problem.ts'
import { tooLarge } from './bytes.ts'

/** A window larger than the largest body could only serve to exhaust memory. */
const WINDOW_LOG = 23

const MAGIC = 0xfd2fb528
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const

/**
 * How many bytes the header of a zstd frame says that it unpacks to (RFC 8878, 3.1.1.1); null if it does not say.
 * A frame that says a wrong number is not unpacked.
 */
export const unpackedBytes = (packed: Uint8Array): number | null => {
  const header = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  if (header.byteLength < 5 || header.getUint32(0, true) !== MAGIC) return null
  const descriptor = header.getUint8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag > 0 ? 1 << sizeFlag : isSingleSegment ? 1 : 0
  const at = 5 + (isSingleSegment ? 0 : 1) + (DICTIONARY_ID_BYTES[descriptor & 3] ?? 0)
  if (header.byteLength < at + sizeBytes) return null
  switch (sizeBytes) {
    case 1:
      return header.getUint8(at)
    case 2:
      return header.getUint16(at, true) + 256
    case 4:
      return header.getUint32(at, true)
    case 8:
      return Number(header.getBigUint64(at, true))
    default:
      return null
  }
}

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
    throw unreadable('the body is not a whole zstd frame, as its Content-Encoding says')
  }
}

const unreadable = (rule: string): Problem => new Problem('invalid_schema', rule, { param: 'body' })
