import type { NamedKey } from '../../scorer/protocol.ts'
import { dayOf } from '../../src/day.ts'
import {
  newProfileKey,
  type ProfileKeys,
  readProfileKeys,
  writeProfileKeys,
} from '../../src/profiles/profile-keys.ts'
import { arg, type Call, type Command, type Outcome, text } from './command.ts'
import { UsageError } from './errors.ts'

// The keys that sign calibration profiles are one secret, PROFILE_KEYS, newest first. Platforms never show a secret
// again, so the list comes from wherever the operator keeps it, and the new list is printed to be stored there.

const id = { value: 'id', says: 'id of the key (default: today’s date)' }

export const signingKeyCommands: readonly Command[] = [
  {
    name: 'signing-keys create',
    takes: [],
    options: { id },
    says: 'Print an initial PROFILE_KEYS with one new key.',
    run: async call => printed([fresh(call)]),
  },
  {
    name: 'signing-keys rotate',
    takes: [],
    options: { id },
    says: 'Print PROFILE_KEYS with a new key in front. The new key signs; the others still verify.',
    run: async call => {
      const keys = await current(call)
      const newest = fresh(call)
      if (keys.some(key => key.id === newest.id))
        throw new UsageError(`There is already a key ${newest.id}. Choose another id with --id.`)
      return printed([newest, ...keys])
    },
  },
  {
    name: 'signing-keys retire',
    takes: ['id'],
    options: {},
    says: 'Print PROFILE_KEYS without a key. Profiles it signed will be refused.',
    run: async call => {
      const keys = await current(call)
      const left = keys.filter(key => key.id !== arg(call, 0))
      if (left.length === keys.length) throw new UsageError('There is no key with that id.')
      const [newest, ...rest] = left
      if (newest === undefined) throw new UsageError('It is the only key. Rotate first.')
      return printed([newest, ...rest])
    },
  },
]

/**
 * From standard input, or from the environment. A shell may still export an older list than the one that is piped in.
 * So none of the two is preferred: the keys that only the other has would be lost.
 */
const current = async ({ env, stdin }: Call): Promise<ProfileKeys> => {
  const piped = (await stdin())?.trim()
  const exported = env.PROFILE_KEYS
  if (!exported) {
    if (!piped) throw new UsageError('Set PROFILE_KEYS to the current list, or pipe the list in.')
    return usable(() => readProfileKeys(piped))
  }
  if (piped === undefined) return usable(() => readProfileKeys(exported))
  // What should have written the list may have failed.
  if (piped === '')
    throw new UsageError(
      'PROFILE_KEYS is set, but an empty list was piped in. Unset PROFILE_KEYS and pipe the current list in, or add </dev/null to use PROFILE_KEYS.',
    )
  const keys = usable(() => readProfileKeys(piped))
  if (writeProfileKeys(keys) !== writeProfileKeys(usable(() => readProfileKeys(exported))))
    throw new UsageError(
      'The list piped in is not the one in PROFILE_KEYS. Unset PROFILE_KEYS, or pipe nothing in, so that only the current list is given.',
    )
  return keys
}

const fresh = (call: Call): NamedKey => usable(() => newProfileKey(text(call, 'id') ?? dayOf(Date.now())))

/** The value given, or an error saying why it cannot be used. The error never contains any part of the value. */
const usable = <Thing>(read: () => Thing): Thing => {
  try {
    return read()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'This cannot be used.')
  }
}

const printed = (keys: ProfileKeys): Outcome => {
  const value = writeProfileKeys(keys)
  const note = `Signs: ${keys[0].id}. Verify: ${keys.map(key => key.id).join(', ')}. Store it where PROFILE_KEYS is kept.`
  return { output: { kind: 'value', data: { keys: keys.map(key => key.id), value }, value, note } }
}
