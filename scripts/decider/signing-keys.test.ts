import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readProfileKeys } from '../../src/profiles/profile-keys.ts'
import { decider, PROGRAM, secretOf } from './testing.ts'

describe('signing keys', () => {
  const ids = (out: string) => readProfileKeys(out.trim()).map(key => key.id)

  it('are created, rotated and retired, and what is printed is PROFILE_KEYS', async () => {
    const first = await decider(['signing-keys', 'create', '--id', 'k1'])
    const second = await decider(['signing-keys', 'rotate', '--id', 'k2'], { stdin: async () => first.out })
    expect(ids(second.out)).toEqual(['k2', 'k1'])
    expect(second.out).toContain(first.out.trim())
    const again = await decider(['signing-keys', 'rotate', '--id', 'k1'], { stdin: async () => second.out })
    expect(again.err).toContain('already a key k1')
    const third = await decider(['signing-keys', 'rotate', '--id', 'k3'], { stdin: async () => second.out })
    const retired = await decider(['signing-keys', 'retire', 'k2'], {
      env: { PROFILE_KEYS: third.out.trim() },
    })
    expect(ids(retired.out)).toEqual(['k3', 'k1'])
  })

  it('are named after the day unless told otherwise', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(ids((await decider(['signing-keys', 'create'])).out)).toEqual(['2026-11-21'])
  })

  it.each([null, '\n'])('are asked for where there are none: %j', async piped => {
    const { code, err } = await decider(['signing-keys', 'rotate'], { stdin: async () => piped })
    expect({ code, err }).toEqual({
      code: 2,
      err: 'Set PROFILE_KEYS to the current list, or pipe the list in.\n',
    })
  })

  it.each([
    [['signing-keys', 'retire', 'k1'], 'Rotate first'],
    [['signing-keys', 'retire', 'k9'], 'no key with that id'],
    [['signing-keys', 'rotate', '--id', 'k1'], 'already'],
    [['signing-keys', 'rotate', '--id', 'k.1'], 'letters, digits, hyphens'],
    [['signing-keys', 'create', '--id', ''], 'letters, digits, hyphens'],
  ])('%j is refused', async (args, why) => {
    const { out } = await decider(['signing-keys', 'create', '--id', 'k1'])
    const { code, err } = await decider(args, { stdin: async () => out })
    expect(code).toBe(2)
    expect(err).toContain(why)
  })

  describe('of which a shell still exports an older list', () => {
    const [older, newer] = ['k1', 'k2'].map(secretOf)
    const rotate = (piped: string | null) =>
      decider(['signing-keys', 'rotate', '--id', 'k3'], {
        env: { PROFILE_KEYS: older },
        stdin: async () => piped,
      })

    it.each([
      [`${newer},${older}\n`, 'The list piped in is not the one in PROFILE_KEYS.'],
      ['\n', 'an empty list was piped in'],
      ['hunter2', 'PROFILE_KEYS must be'],
    ])('are not guessed from it: %j', async (piped, why) => {
      const { code, out, err } = await rotate(piped)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(why)
      expect(err).not.toMatch(/AAAA|hunter2/)
    })

    it.each([null, ` ${older}\n`])(
      'are taken where both are the same, or only one is given: %j',
      async piped => expect(ids((await rotate(piped)).out)).toEqual(['k3', 'k1']),
    )

    it('are those piped in if the variable is empty', async () => {
      const given = { env: { PROFILE_KEYS: '' }, stdin: async () => `${newer},${older}` }
      const { out } = await decider(['signing-keys', 'rotate', '--id', 'k3'], given)
      expect(ids(out)).toEqual(['k3', 'k2', 'k1'])
    })

    it.each([
      ['ignore', 0],
      ['pipe', 2],
    ] as const)('are read from an input that is a %s', (input, code) => {
      const { status } = spawnSync(process.execPath, [PROGRAM, 'signing-keys', 'rotate', '--id', 'k3'], {
        env: { ...process.env, PROFILE_KEYS: older },
        input: `${newer},${older}`,
        stdio: [input, 'ignore', 'ignore'],
      })
      expect(status).toBe(code)
    })
  })

  it('are read from a pipe that ends without a word about waiting for it', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, 'signing-keys', 'rotate', '--id', 'k2'],
      {
        env: {},
        input: secretOf('k1'),
        encoding: 'utf8',
      },
    )
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'Signs: k2. Verify: k2, k1. Store it where PROFILE_KEYS is kept.\n',
    })
  })

  it('that cannot be read are not repeated', async () => {
    const { code, err } = await decider(['signing-keys', 'rotate'], { stdin: async () => 'hunter2' })
    expect(code).toBe(2)
    expect(err).not.toContain('hunter2')
  })
})
