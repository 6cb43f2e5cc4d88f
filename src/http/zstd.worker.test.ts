import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { problemOf } from '../testing/problem.ts'
import { unpackedBytes, unzstd } from './zstd.ts'

const codeOf = (run: () => unknown) => problemOf(run).code

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd]

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

describe('the header of a zstd frame', () => {
  const frameOf = (bytes: number) => zstdCompressSync(new Uint8Array(bytes))

  it.each([0, 1, 255, 256, 257, 65_535, 65_536, 65_792, 4_000_000, 70_000_000])(
    'says what it unpacks to: %i bytes',
    bytes => {
      expect(unpackedBytes(frameOf(bytes))).toBe(bytes)
    },
  )

  it.each([
    ['in one byte, after the id of a dictionary', [0x21, 7, 200], 200],
    ['in two bytes, after a window', [0x40, 0x50, 0x01, 0x02], 0x0201 + 256],
    [
      'in four, after a window and the id of a dictionary',
      [0x83, 0x50, 1, 2, 3, 4, 1, 0, 0, 0x80],
      0x80000001,
    ],
    ['in eight', [0xe0, 0, 0, 0, 0, 1, 0, 0, 0], 2 ** 32],
  ])('says it %s', (_, header, bytes) => {
    expect(unpackedBytes(Uint8Array.of(...MAGIC, ...header))).toBe(bytes)
  })

  it.each([
    ['it leaves it out', emptyFrame(23)],
    ['it is cut short', Uint8Array.of(...MAGIC, 0xe0, 0, 0, 0, 0, 1, 0, 0)],
    ['there is none', Uint8Array.of(...MAGIC)],
    ['it is another format', new TextEncoder().encode('{"state":"a"}')],
  ])('says nothing if %s', (_, bytes) => {
    expect(unpackedBytes(bytes)).toBeNull()
  })

  it.each([
    ['less', 1],
    ['more', 3],
  ])('is not believed if it says %s than the frame holds', (_, said) => {
    const frame = Uint8Array.of(...MAGIC, 0x80, 0x50, said, 0, 0, 0, (2 << 3) | 1, 0, 0, 0x7b, 0x7d)
    expect(unpackedBytes(frame)).toBe(said)
    expect(codeOf(() => unzstd(frame, 4_000_000))).toBe('invalid_schema')
    const right = frame.with(6, 2)
    expect(new TextDecoder().decode(unzstd(right, 4_000_000))).toBe('{}')
  })
})

/** A zstd frame that holds nothing and asks for a window of this size (RFC 8878, 3.1.1.1.2). */
const emptyFrame = (windowLog: number): Uint8Array =>
  Uint8Array.of(...MAGIC, 0, (windowLog - 10) << 3, 1, 0, 0)
