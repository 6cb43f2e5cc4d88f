import { createHmac, timingSafeEqual } from 'node:crypto'
import type { NamedKey } from '../../scorer/protocol.ts'
import { KEY_ID, type ProfileKeys } from './profile-keys.ts'

/** What is done to the logits of a question: its options' offsets are added, then all are divided by the temperature. */
export type Scale = {
  temperature: number
  /** In the order that the question's signature knows the options in; absent if none were fitted. */
  offsets?: readonly number[]
}

/** What a profile holds for a question. Below the cutoff it abstains; null means that no answer is sure enough. */
export type Rule = Scale & { cutoff: number | null }

/** Whether an answer of this confidence is given. A cutoff is certified by the same comparison. */
export const accepts = ({ cutoff }: Pick<Rule, 'cutoff'>, confidence: number): boolean =>
  cutoff !== null && confidence >= cutoff

/** A calibration as its owner holds it: the snapshot it is bound to and rules by question signature, nothing else. */
export type Profile = { snapshot: string; rules: ReadonlyMap<string, Rule> }

const VERSION = 'calp1'
const MAC_BYTES = 32
/** Key id and blob. A token that was cut short may end within a byte, and still has this form. */
const FORM = new RegExp(`^${VERSION}\\.(${KEY_ID})\\.([A-Za-z0-9_-]*)$`)

/** `calp1.<kid>.<base64url(payload ‖ HMAC-SHA256)>`: the same profile and key always give the same token. */
export const sealProfile = (profile: Profile, key: NamedKey): string => {
  const payload = Buffer.from(writePayload(profile))
  return `${VERSION}.${key.id}.${Buffer.concat([payload, mac(key, payload)]).toString('base64url')}`
}

/**
 * The profile in a token, if a listed key signed exactly these characters. Otherwise why it stays closed, by what the
 * token shows to anybody: its form, and the name of the key in it.
 */
export const openProfile = (
  token: string,
  keys: ProfileKeys,
): Profile | 'no_token' | 'unknown_key' | 'altered' => {
  const [, id, blob] = FORM.exec(token) ?? []
  if (blob === undefined) return 'no_token'
  const key = keys.find(candidate => candidate.id === id)
  if (key === undefined) return 'unknown_key'
  const bytes = Buffer.from(blob, 'base64url')
  // The decoder tolerates spare bits, but only one spelling of the bytes is a token.
  if (bytes.toString('base64url') !== blob || bytes.length <= MAC_BYTES) return 'altered'
  const payload = bytes.subarray(0, -MAC_BYTES)
  if (!timingSafeEqual(mac(key, payload), bytes.subarray(-MAC_BYTES))) return 'altered'
  return readPayload(payload.toString('utf8')) ?? 'altered'
}

/** The snapshot that a token names, for its holder: nothing vouches for it but the service that opens the token. */
export const snapshotNamedBy = (token: string): string | null => {
  const [, , blob = ''] = FORM.exec(token) ?? []
  return (
    readPayload(Buffer.from(blob, 'base64url').subarray(0, -MAC_BYTES).toString('utf8'))?.snapshot ?? null
  )
}

/** Neither version nor key id can contain a full stop, so what is signed can be read in only one way. */
const mac = (key: NamedKey, payload: Uint8Array): Buffer =>
  createHmac('sha256', key.secret).update(`${VERSION}.${key.id}.`).update(payload).digest()

// Legible on purpose: anyone who decodes a token sees that it holds numbers and digests, no labels and no text.
type Payload = { snapshot: string; rules: Entry[] }
type Entry = [signature: string, temperature: number, cutoff: number | null, offsets?: readonly number[]]

const writePayload = ({ snapshot, rules }: Profile): string => {
  const sorted = [...rules].sort(([one], [other]) => (one < other ? -1 : 1))
  const payload: Payload = {
    snapshot,
    rules: sorted.map(([signature, { temperature, cutoff, offsets }]) =>
      offsets === undefined ? [signature, temperature, cutoff] : [signature, temperature, cutoff, offsets],
    ),
  }
  return JSON.stringify(payload)
}

/** The MAC proves that we wrote the payload, so any other shape is from a version we no longer read. */
const readPayload = (text: string): Profile | null => {
  try {
    const { snapshot, rules } = JSON.parse(text) as Payload
    const read = rules.map(([signature, temperature, cutoff, offsets]): [string, Rule] => [
      signature,
      { temperature, cutoff, ...(offsets !== undefined && { offsets }) },
    ])
    return typeof snapshot === 'string' ? { snapshot, rules: new Map(read) } : null
  } catch {
    return null
  }
}
