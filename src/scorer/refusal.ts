import { REFUSALS, type Refusal } from '../../scorer/protocol.ts'
import type { ScorerFault } from '../fault.ts'

/** Many times what a scorer needs to say why it refuses, or its health while it drains. */
export const MAX_REFUSAL_BYTES = 10_000

/** What an operator does about these differs: deploy, correct a secret or a clock, add a scorer, wait, or read its log. */
const TOLD_APART = [
  'wrong_version',
  'bad_signature',
  'clock',
  'full',
  'draining',
  'fault',
] as const satisfies (Refusal['error'] & ScorerFault)[]

/** Why the scorer refused, if it says so under the status that goes with it: a proxy on the way answers too. */
export const faultOf = (status: number, body: Uint8Array): ScorerFault => {
  const { error, ready } = saidIn(body)
  // Health instead of a refusal: alive, but not ready.
  if (ready === false && status === REFUSALS.draining) return 'draining'
  return TOLD_APART.find(known => known === error && REFUSALS[known] === status) ?? 'refused'
}

const saidIn = (body: Uint8Array): { error?: unknown; ready?: unknown } => {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return {}
  }
}
