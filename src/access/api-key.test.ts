import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksumOf, generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key.ts'
import { API_KEY_PREFIX, hintOf } from './key-hint.ts'

describe('the checksum of a key', () => {
  it("agrees with GitHub's published token", () => {
    expect(checksumOf('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17')
  })
})

describe('a generated key', () => {
  it('is well formed and 47 characters long', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), bytes => {
        // A stream that repeats one rejected byte would never end, so real randomness is mixed in.
        const draw = (count: number) =>
          Uint8Array.from({ length: count }, (_, at) =>
            at % 2 ? bytes.next().value : (randomBytes(1)[0] ?? 0),
          )
        const key = generateApiKey(draw)
        expect(key).toHaveLength(47)
        expect(isWellFormedApiKey(key)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })

  it('uses every character about equally often', () => {
    const counts = new Map<string, number>()
    for (let round = 0; round < 1000; round++) {
      for (const character of generateApiKey(randomBytes).slice(API_KEY_PREFIX.length, -6)) {
        counts.set(character, (counts.get(character) ?? 0) + 1)
      }
    }
    expect(counts.size).toBe(62)
    // 30,000 draws over 62 characters: 484 each, standard deviation 22.
    for (const count of counts.values()) expect(Math.abs(count - 484)).toBeLessThan(22 * 6)
  })

  it('never uses a byte that would favour some characters', () => {
    const draws = [new Uint8Array(30).fill(255), new Uint8Array(30).fill(248), new Uint8Array(30).fill(61)]
    const key = generateApiKey(() => draws.shift() ?? new Uint8Array(30))
    expect(key).toContain(`${API_KEY_PREFIX}${'z'.repeat(30)}`)
  })
})

describe('a key that was altered', () => {
  it('is refused whichever character was changed', () => {
    const key = generateApiKey(randomBytes)
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'A' ? 'B' : 'A'
      expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }
  })

  it.each([
    '',
    'sk_decider_',
    `${generateApiKey(randomBytes)} `,
    `${generateApiKey(randomBytes)}\n`,
    'sk-live-1',
  ])('is refused: %j', text => {
    expect(isWellFormedApiKey(text)).toBe(false)
  })
})

describe('what is stored of a key', () => {
  it('is its SHA-256 and a four-character hint', () => {
    const key = `${API_KEY_PREFIX}zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17`
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/)
    expect(hintOf(key)).toBe('sk_decider_zQWB…')
  })
})
