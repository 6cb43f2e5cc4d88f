import { NAMED_KEYS, readNamedKeys } from '../../scorer/protocol.ts'
import type { Call } from './command.ts'
import { UsageError } from './errors.ts'

/** The keys in SCORER_SECRET, each as it is written there. While keys are rotated, a scorer has several. */
export const scorerSecrets = ({ env }: Call): string[] => {
  const secret = env.SCORER_SECRET
  if (!secret) throw new UsageError('Set SCORER_SECRET to the secret of the edge, or to that of the scorer.')
  if (readNamedKeys(secret) === null) throw new UsageError(`SCORER_SECRET must be ${NAMED_KEYS}.`)
  return secret.split(',').map(entry => entry.trim())
}
