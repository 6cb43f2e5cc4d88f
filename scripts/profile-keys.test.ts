import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openProfile, sealProfile } from '../src/calibration/profile.ts'
import { readProfileKeys } from '../src/calibration/profile-keys.ts'

const run = async (args: string[], PROFILE_KEYS = ''): Promise<string> => {
  const script = join(import.meta.dirname, 'profile-keys.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env: { PROFILE_KEYS } })
  return stdout.trim()
}
const profile = { snapshot: 's', rules: new Map() }

describe('npm run profile-keys', () => {
  it('makes a key that signs', async () => {
    const keys = readProfileKeys(await run([]))
    expect(keys).toHaveLength(1)
    expect(openProfile(sealProfile(profile, keys[0]), keys)).toEqual(profile)
  })

  it('rotates: a new key signs, the old ones still verify', async () => {
    const first = await run([])
    const token = sealProfile(profile, readProfileKeys(first)[0])
    const second = await run(['rotate'], first)
    const third = await run(['rotate'], second)
    expect(third.endsWith(first)).toBe(true)
    expect(new Set(readProfileKeys(third).map(({ id }) => id)).size).toBe(3)
    expect(openProfile(token, readProfileKeys(third))).toEqual(profile)
  })

  it('retires old keys when told to', async () => {
    const first = await run([])
    const second = await run(['rotate', '--keep', '0'], first)
    expect(openProfile(sealProfile(profile, readProfileKeys(first)[0]), readProfileKeys(second))).toBeNull()
  })

  it.each([[['rotate']], [['retire']], [['new', '--keep', 'few']], [['new', '--id', 'a.b']]])(
    'refuses %j',
    async args => {
      await expect(run(args)).rejects.toMatchObject({ code: 1, stdout: '' })
    },
  )
})
