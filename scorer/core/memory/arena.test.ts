import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Arena, type Region } from './arena.ts'

describe('the arena', () => {
  it('hands out regions that never overlap, and is one piece again when all are returned', () => {
    const size = 64 * 64
    const sizes = fc.integer({ min: 1, max: 900 })
    fc.assert(
      fc.property(
        fc.array(fc.oneof(sizes, fc.constant('give' as const)), { maxLength: 60, size: 'max' }),
        fc.nat(),
        (moves, seed) => {
          const arena = new Arena(size)
          const held: Region[] = []
          for (const [step, move] of moves.entries()) {
            if (move === 'give') {
              const [region] = held.splice((seed + step) % Math.max(1, held.length), 1)
              if (region !== undefined) arena.give(region)
            } else {
              const region = arena.take(move)
              if (region !== null) held.push(region)
            }
            const inOrder = held.toSorted((a, b) => a.offset - b.offset)
            for (const [i, { offset, length }] of inOrder.entries()) {
              expect(offset % 64).toBe(0)
              expect(offset + length).toBeLessThanOrEqual(inOrder[i + 1]?.offset ?? size)
            }
            expect(arena.usedBytes).toBe(held.reduce((sum, { length }) => sum + length, 0))
          }
          for (const region of held) arena.give(region)
          expect(arena.take(size)).toEqual({ offset: 0, length: size })
        },
      ),
    )
  })

  it('knows which parts of a range nobody has taken', () => {
    const size = 64 * 64
    const part = fc.record({ offset: fc.nat(size - 1), length: fc.integer({ min: 1, max: size }) })
    const regions = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 900 }), isKept: fc.boolean() }))
    const marked = (parts: Region[]): Uint8Array => {
      const bytes = new Uint8Array(size)
      for (const { offset, length } of parts) bytes.fill(1, offset, offset + length)
      return bytes
    }
    fc.assert(
      fc.property(regions, part, (wanted, range) => {
        const arena = new Arena(size)
        const lent = wanted.flatMap(({ bytes, isKept }) => {
          const region = arena.take(bytes)
          return region === null ? [] : [{ region, isKept }]
        })
        for (const { region, isKept } of lent) if (!isKept) arena.give(region)
        const taken = marked(lent.filter(({ isKept }) => isKept).map(({ region }) => region))
        const expected = marked([range]).map((byte, at) => (taken[at] ? 0 : byte))
        expect(marked(arena.freePartsOf(range))).toEqual(expected)
      }),
    )
  })

  it('uses the first place that is large enough, because only what was written takes up memory', () => {
    const arena = new Arena(64 * 64)
    const [first, second] = [arena.take(128), arena.take(64)]
    if (first === null || second === null) throw new Error('there was room')
    arena.give(first)
    expect([arena.take(256), arena.take(64), arena.take(64)].map(region => region?.offset)).toEqual([
      192, 0, 64,
    ])
  })

  it('gives nothing if no hole is large enough', () => {
    const arena = new Arena(192)
    const [first, second, third] = [arena.take(64), arena.take(64), arena.take(64)]
    if (first === null || second === null || third === null) throw new Error('there was room')
    arena.give(first)
    arena.give(third)
    expect(arena.take(128)).toBeNull()
    arena.give(second)
    expect(arena.take(192)).not.toBeNull()
  })

  it('says by its setting that there cannot be as much', () => {
    expect(() => new Arena(Number.MAX_SAFE_INTEGER)).toThrow(/^SCORER_MEMORY_BYTES is more than this system/)
  })

  it('refuses to take a region back twice', () => {
    const arena = new Arena(128)
    const [region, other] = [arena.take(64), arena.take(64)]
    if (region === null || other === null) throw new Error('there was room')
    arena.give(region)
    expect(() => arena.give(region)).toThrow(RangeError)
  })
})
