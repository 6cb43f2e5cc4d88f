import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { NamedKey } from '../../scorer/protocol.ts'
import { cpuMs } from '../../test/cpu-time.ts'
import { openProfile, type Profile, sealProfile, snapshotNamedBy } from './profile.ts'
import { newProfileKey, type ProfileKeys, readProfileKeys } from './profile-keys.ts'

const key: NamedKey = { id: '2026-11_a', secret: Buffer.alloc(32, 7) }
const older: NamedKey = { id: 'older', secret: Buffer.alloc(32, 9) }
const keys: ProfileKeys = [key, older]
const profile: Profile = {
  snapshot: 'decider-preview-2026-10-13',
  rules: new Map([
    ['00112233445566778899aabbccddeeff', { temperature: 1.7320508075688772, cutoff: 0.812345678901 }],
    ['ffeeddccbbaa99887766554433221100', { temperature: 0.05, cutoff: null }],
  ]),
}
const token = sealProfile(profile, key)
/** The profile in a token, or null if there is none. */
const opened = (token: string, keys: ProfileKeys): Profile | null => {
  const profile = openProfile(token, keys)
  return typeof profile === 'string' ? null : profile
}
const LETTERS = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index))

describe('a profile token', () => {
  it('comes back as it went in', () => {
    expect(opened(token, keys)).toEqual(profile)
    expect(token).toMatch(/^calp1\.2026-11_a\.[A-Za-z0-9_-]+$/)
  })

  it('names its snapshot to anyone, and another text names none', () => {
    expect(snapshotNamedBy(token)).toBe(profile.snapshot)
    for (const other of ['', 'calp1.k1.AAAA', token.slice(0, -60), `x${token}`])
      expect(snapshotNamedBy(other)).toBeNull()
  })

  it('is the same for the same profile, whatever order its rules were found in', () => {
    expect(sealProfile({ ...profile, rules: new Map([...profile.rules].reverse()) }, key)).toBe(token)
  })

  it('holds numbers and digests in plain text, and nothing more', () => {
    const blob = Buffer.from(token.split('.')[2] ?? '', 'base64url')
    expect(JSON.parse(blob.subarray(0, -32).toString())).toEqual({
      snapshot: 'decider-preview-2026-10-13',
      rules: [
        ['00112233445566778899aabbccddeeff', 1.7320508075688772, 0.812345678901],
        ['ffeeddccbbaa99887766554433221100', 0.05, null],
      ],
    })
  })

  it('holds offsets where some were fitted', () => {
    const rule = { temperature: 2, cutoff: 0.5, offsets: [0.25, -1.5, 1.25] }
    const token = sealProfile({ ...profile, rules: new Map([...profile.rules, ['aa', rule]]) }, key)
    expect(opened(token, keys)?.rules).toEqual(new Map([...profile.rules, ['aa', rule]]))
  })

  it('may name a key with an id of 32 characters', () => {
    const longest = newProfileKey('a'.repeat(32))
    expect(opened(sealProfile(profile, longest), [longest])).toEqual(profile)
  })

  it('carries an HMAC-SHA256 over version, key id and payload', () => {
    const blob = Buffer.from(token.split('.')[2] ?? '', 'base64url')
    const expected = createHmac('sha256', key.secret)
      .update(`calp1.2026-11_a.${blob.subarray(0, -32).toString('latin1')}`)
      .digest('hex')
    expect(blob.subarray(-32).toString('hex')).toBe(expected)
  })

  it('may hold no rules, or thousands', () => {
    const many = new Map(
      Array.from({ length: 2_000 }, (_, index) => [`${index}`, { temperature: 1, cutoff: 0.5 }]),
    )
    for (const rules of [new Map(), many]) {
      expect(opened(sealProfile({ ...profile, rules }, key), keys)?.rules.size).toBe(rules.size)
    }
  })
})

// Tens of thousands of tokens: seconds of work, more on a busy machine.
describe('a profile token is refused', { timeout: 60_000 }, () => {
  it('when it is cut short anywhere', () => {
    for (let length = 0; length < token.length; length++)
      expect(opened(token.slice(0, length), keys)).toBeNull()
  })

  it('when its beginning is missing', () => {
    for (let from = 1; from <= token.length; from++) expect(opened(token.slice(from), keys)).toBeNull()
  })

  it('when any one character is changed to any other', () => {
    for (let at = 0; at < token.length; at++) {
      for (const letter of LETTERS) {
        if (letter === token[at]) continue
        const changed = token.slice(0, at) + letter + token.slice(at + 1)
        if (opened(changed, keys) !== null) expect.fail(`accepted ${JSON.stringify(letter)} at ${at}`)
      }
    }
  })

  it('when any one character is dropped, doubled or inserted', () => {
    for (let at = 0; at <= token.length; at++) {
      expect(opened(token.slice(0, at) + token.slice(at + 1), keys) === null || at === token.length).toBe(
        true,
      )
      for (const letter of LETTERS) {
        const longer = token.slice(0, at) + letter + token.slice(at)
        if (opened(longer, keys) !== null) expect.fail(`accepted ${JSON.stringify(letter)} inserted at ${at}`)
      }
    }
  })

  it('when its last character is another spelling of the same bits', () => {
    // Zero, two or four spare bits: 1, 4 or 16 letters decode to the same bytes in a lenient decoder.
    for (const snapshot of ['a', 'ab', 'abc']) {
      const short = sealProfile({ snapshot, rules: new Map() }, key)
      const bytes = Buffer.from(short.split('.')[2] ?? '', 'base64url')
      const twins = LETTERS.filter(letter => {
        const twin = `${short.slice(0, -1)}${letter}`
        return Buffer.from(twin.split('.')[2] ?? '', 'base64url').equals(bytes)
      })
      expect(twins.filter(letter => opened(short.slice(0, -1) + letter, keys) !== null)).toEqual([
        short.at(-1),
      ])
    }
  })

  it.each([
    '',
    '.',
    '..',
    'calp1',
    'calp1.',
    'calp1..',
    `calp1.${key.id}.`,
    `${token}=`,
    `${token}.`,
    ` ${token}`,
    `${token}\n`,
    token.replace('calp1', 'calp2'),
    token.replace('calp1', 'CALP1'),
    `calp1.${key.id}.${'A'.repeat(43)}`,
    `calp1.__proto__.${token.split('.')[2]}`,
  ])('when it is %j', text => {
    expect(opened(text, keys)).toBeNull()
  })

  it('when it is nothing but full stops, without making a string for every gap between them', () => {
    const stops = '.'.repeat(3_900_000)
    const openOften = () => {
      for (let times = 0; times < 20; times++) expect(opened(stops, keys)).toBeNull()
    }
    expect(cpuMs(openOften)).toBeLessThan(1_000)
  })

  it('when its key id names another key', () => {
    expect(opened(token.replace(key.id, older.id), keys)).toBeNull()
  })

  it('when its signature is good but its payload is not one of ours', () => {
    for (const payload of [
      '',
      'null',
      '[]',
      '{}',
      '{"snapshot":1,"rules":[]}',
      '{"snapshot":"a"}',
      '{"snapshot":"a","rules":[1]}',
    ]) {
      const bytes = Buffer.from(payload)
      const signed = createHmac('sha256', key.secret).update(`calp1.${key.id}.`).update(bytes).digest()
      const token = `calp1.${key.id}.${Buffer.concat([bytes, signed]).toString('base64url')}`
      expect(openProfile(token, keys)).toBe('altered')
    }
  })
})

describe('rotating keys', () => {
  it('signs with the newest and verifies with every listed one', () => {
    const newest = newProfileKey('newest')
    const rotated: ProfileKeys = [newest, ...keys]
    expect(opened(token, rotated)).toEqual(profile)
    expect(opened(sealProfile(profile, rotated[0]), rotated)).toEqual(profile)
    expect(opened(sealProfile(profile, newest), keys)).toBeNull()
  })

  it('refuses a retired key, even if its id is used again', () => {
    expect(opened(token, [older])).toBeNull()
    expect(opened(token, [newProfileKey(key.id)])).toBeNull()
  })
})

describe('readProfileKeys', () => {
  const secret = Buffer.alloc(32, 1).toString('base64url')

  it('reads ids and secrets, newest first', () => {
    const read = readProfileKeys(`b:${secret}, a:${secret}`)
    expect(read.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(read[0].secret).toHaveLength(32)
  })

  it.each([
    '',
    'a',
    'a:',
    `:${secret}`,
    `a.b:${secret}`,
    `a b:${secret}`,
    `${'a'.repeat(33)}:${secret}`,
    `a:${secret}:b`,
    `a:${secret}=`,
    `a:${secret.slice(4)}`,
    `a:${secret},`,
    `a:${secret},a:${secret}`,
    `a:${secret},b.c:${secret}`,
  ])('refuses %j and quotes none of it', text => {
    let message = ''
    try {
      readProfileKeys(text)
    } catch (error) {
      message = String(error)
    }
    expect(message).toMatch(/^Error: PROFILE_KEYS /)
    expect(message).not.toContain(secret.slice(0, 8))
  })
})
