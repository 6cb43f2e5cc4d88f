import type { Gatekeeper } from './admission.ts'
import type { Gate } from './gate.ts'

/** Admission by Gates alone: one call to admit, one to settle, no outside service. */
export const gatekeeper = (gates: DurableObjectNamespace<Gate>): Gatekeeper => ({
  admit: (keyHash, tokens) => gates.getByName(keyHash).admit(tokens),
  settle: (keyHash, reservation, spent) => gates.getByName(keyHash).settle(reservation, spent),
})
