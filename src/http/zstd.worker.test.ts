import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Problem } from '../problem.ts'
import { unzstd } from './zstd.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
  return 'none'
}

// Inside workerd, which has its own zlib, whose errors need not be Node's.
describe('a zstd body', () => {
  const text = new TextEncoder().encode('{"state":"héllo"}'.repeat(200))
  const packed = zstdCompressSync(text)

  it('comes out as it went in', () => {
    expect(new Uint8Array(unzstd(packed, text.length))).toEqual(text)
  })

  it('is too large one byte past the cap', () => {
    expect(codeOf(() => unzstd(packed, text.length - 1))).toBe('request_too_large')
  })

  it('is refused quickly, however large it claims to be', () => {
    const bomb = zstdCompressSync(new Uint8Array(64_000_000))
    expect(bomb.length).toBeLessThan(10_000)
    expect(codeOf(() => unzstd(bomb, 4_000_000))).toBe('request_too_large')
  })

  it('may use a window of 8 MiB, and is refused one that could only exhaust memory', () => {
    expect(new Uint8Array(unzstd(emptyFrame(23), 4_000_000))).toEqual(new Uint8Array())
    expect(codeOf(() => unzstd(emptyFrame(24), 4_000_000))).toBe('invalid_schema')
  })

  it.each([
    ['cut short', packed.subarray(0, packed.length - 5)],
    ['plain JSON', text],
    ['followed by a second frame', Buffer.concat([packed, packed])],
    ['followed by anything else', Buffer.concat([packed, text])],
    ['damaged', packed.map((byte, at) => (at > 6 ? byte ^ 0xff : byte))],
  ])('is invalid when %s', (_, bytes) => {
    expect(codeOf(() => unzstd(bytes, 4_000_000))).toBe('invalid_schema')
  })
})

/** A zstd frame that holds nothing and asks for a window of this size (RFC 8878, 3.1.1.1.2). */
const emptyFrame = (windowLog: number): Uint8Array =>
  Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, 1, 0, 0)
