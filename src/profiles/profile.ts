import { createHmac, timingSafeEqual } from 'node:crypto'
import type { NamedKey } from '../../scorer/protocol.ts'
import type { ProfileKeys } from './profile-keys.ts'

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
/** Version, key id and blob. */
const PARTS = 3

/** `calp1.<kid>.<base64url(payload ‖ HMAC-SHA256)>`: the same profile and key always give the same token. */
export const sealProfile = (profile: Profile, key: NamedKey): string => {
  const payload = Buffer.from(writePayload(profile))
  return `${VERSION}.${key.id}.${Buffer.concat([payload, mac(key, payload)]).toString('base64url')}`
}

/** The profile in a token, or null unless a listed key signed exactly these characters. */
export const openProfile = (token: string, keys: ProfileKeys): Profile | null => {
  // One part more than a token has: otherwise four megabytes of full stops would make as many strings.
  const [version, id, blob, ...rest] = token.split('.', PARTS + 1)
  if (version !== VERSION || blob === undefined || rest.length > 0) return null
  const key = keys.find(candidate => candidate.id === id)
  if (key === undefined) return null
  const bytes = Buffer.from(blob, 'base64url')
  // The decoder tolerates padding, foreign characters and spare bits, but only one spelling of the bytes is a token.
  if (bytes.toString('base64url') !== blob || bytes.length <= MAC_BYTES) return null
  const payload = bytes.subarray(0, -MAC_BYTES)
  if (!timingSafeEqual(mac(key, payload), bytes.subarray(-MAC_BYTES))) return null
  return readPayload(payload.toString('utf8'))
}

/** Why a token was not opened, by what it shows to anybody: its form, and the name of the key in it. */
export const whyClosed = (token: string, keys: ProfileKeys): 'no_token' | 'unknown_key' | 'altered' => {
  const id = FORM.exec(token)?.[1]
  if (id === undefined) return 'no_token'
  return keys.some(key => key.id === id) ? 'altered' : 'unknown_key'
}

/** A token that was cut short may end within a byte, and still has this form. */
const FORM = new RegExp(`^${VERSION}\\.([A-Za-z0-9_-]{1,32})\\.[A-Za-z0-9_-]*$`)

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
