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
