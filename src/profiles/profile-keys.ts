import { randomBytes } from 'node:crypto'
import { NAMED_KEYS, type NamedKey, readNamedKeys } from '../../scorer/protocol.ts'

/** Newest first: the first signs, all verify. */
export type ProfileKeys = readonly [NamedKey, ...NamedKey[]]

/** The pattern of a key's id, which is part of a profile's token, whose parts are separated by full stops. */
export const KEY_ID = '[A-Za-z0-9_-]{1,32}'
const WHOLE_ID = new RegExp(`^${KEY_ID}$`)
const SECRET_BYTES = 32

/** Reads `<id>:<base64url secret>,…`. Throws, without quoting anything, if the text is not a list of keys. */
export const readProfileKeys = (text: string): ProfileKeys => {
  const [newest, ...older] = readNamedKeys(text) ?? []
  if (newest === undefined || ![newest, ...older].every(({ id }) => WHOLE_ID.test(id))) {
    throw new Error(`PROFILE_KEYS must be ${NAMED_KEYS}`)
  }
  return [newest, ...older]
}

export const writeProfileKeys = (keys: readonly NamedKey[]): string =>
  keys.map(({ id, secret }) => `${id}:${Buffer.from(secret).toString('base64url')}`).join(',')

export const newProfileKey = (id: string): NamedKey => {
  if (!WHOLE_ID.test(id)) throw new Error('A key id is 1 to 32 letters, digits, hyphens or underscores')
  return { id, secret: randomBytes(SECRET_BYTES) }
}
