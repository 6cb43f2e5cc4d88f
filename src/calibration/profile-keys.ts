import { randomBytes } from 'node:crypto'

export type ProfileKey = { id: string; secret: Uint8Array }

/** Newest first: the first signs, all verify. */
export type ProfileKeys = readonly [ProfileKey, ...ProfileKey[]]

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
const SECRET_BYTES = 32

/** Reads `<id>:<base64url secret>,…`. Throws, without quoting anything, on what cannot be a list of keys. */
export const readProfileKeys = (text: string): ProfileKeys => {
  const [newest, ...older] = text.split(',').map(readKey)
  if (newest === undefined) throw new Error('PROFILE_KEYS must list at least one key')
  const keys: ProfileKeys = [newest, ...older]
  if (new Set(keys.map(key => key.id)).size !== keys.length) {
    throw new Error('PROFILE_KEYS must not list a key id twice')
  }
  return keys
}

const readKey = (entry: string, index: number): ProfileKey => {
  const [id = '', encoded = '', ...rest] = entry.trim().split(':')
  const secret = Buffer.from(encoded, 'base64url')
  if (!KEY_ID.test(id) || rest.length > 0 || secret.toString('base64url') !== encoded) {
    throw new Error(`PROFILE_KEYS entry ${index + 1} must be <id>:<base64url secret>`)
  }
  if (secret.length < SECRET_BYTES) {
    throw new Error(`PROFILE_KEYS entry ${index + 1} needs a secret of at least ${SECRET_BYTES} bytes`)
  }
  return { id, secret }
}

export const writeProfileKeys = (keys: readonly ProfileKey[]): string =>
  keys.map(({ id, secret }) => `${id}:${Buffer.from(secret).toString('base64url')}`).join(',')

export const newProfileKey = (id: string): ProfileKey => {
  if (!KEY_ID.test(id)) throw new Error('A key id is 1 to 32 letters, digits, hyphens or underscores')
  return { id, secret: randomBytes(SECRET_BYTES) }
}
