// Makes and rotates the keys that sign calibration profiles. Prints the next value of PROFILE_KEYS, a secret:
//
//   npm run --silent profile-keys                     a first key
//   npm run --silent profile-keys -- rotate           a new key before those in the environment's PROFILE_KEYS
//   npm run --silent profile-keys -- rotate --keep 1  and all but the newest of the old ones retired
//
// To the deployed service:  npm run --silent profile-keys -- rotate | npx wrangler secret put PROFILE_KEYS
import { parseArgs } from 'node:util'
import { newProfileKey, readProfileKeys, writeProfileKeys } from '../src/calibration/profile-keys.ts'

/** Enough for a year of monthly rotation: profiles signed by a key that is dropped here stop working. */
const KEEP = 11

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { keep: { type: 'string' }, id: { type: 'string' } },
  })
  const [command = 'new', ...rest] = positionals
  if (!['new', 'rotate'].includes(command) || rest.length > 0) throw new Error('Say new or rotate.')
  const keep = Number(values.keep ?? KEEP)
  if (!Number.isInteger(keep) || keep < 0) throw new Error('--keep takes a whole number.')
  const current = process.env.PROFILE_KEYS
  if (command === 'rotate' && !current) throw new Error('Set PROFILE_KEYS to its current value to rotate it.')
  const older = command === 'rotate' ? readProfileKeys(current ?? '').slice(0, keep) : []
  const next = [newProfileKey(values.id ?? today(older.map(({ id }) => id))), ...older]
  console.log(writeProfileKeys(next))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** `k20261121`, or `k20261121-2` for the second key of a day. */
function today(taken: readonly string[]): string {
  const day = `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
  let id = day
  for (let count = 2; taken.includes(id); count++) id = `${day}-${count}`
  return id
}
