import { failureOf } from '../fault.ts'
import { Gathered } from '../gathered.ts'
import type { Gatekeeper } from './admission.ts'
import type { Gate, GateAdmission, Settlement } from './gate.ts'
import { settledRates } from './rates.ts'

/** A settlement travels with its key's next admission, or on its own after this long. */
const SETTLE_WITHIN_MS = 100

type GatekeeperOptions = {
  gates: DurableObjectNamespace<Gate>
  /** Called with the number of requests whose usage was lost on its way to their Gate. */
  reportLost: (requests: number) => void
  /** Called for each request that is refused because its Gate has more to do than it can. */
  reportOverloaded: () => void
}

/** Admission by Gates. Under load a request costs one call: the next admission carries its settlement. */
export const gatekeeper = ({ gates, reportLost, reportOverloaded }: GatekeeperOptions): Gatekeeper => {
  const unsettled = new Gathered<Settlement>(SETTLE_WITHIN_MS, async (keyHash, settlements) => {
    try {
      await gates.getByName(keyHash).settle(settlements)
    } catch {
      reportLost(settlements.length)
    }
  })

  const askGate = async (keyHash: string, tokens: number): Promise<GateAdmission> => {
    const settlements = unsettled.take(keyHash)
    try {
      return await gates.getByName(keyHash).admit(tokens, settlements)
    } catch (error) {
      // They may already have been counted, so they are not sent twice.
      if (settlements.length > 0) reportLost(settlements.length)
      if (!isPassing(error)) throw error
      return await gates.getByName(keyHash).admit(tokens)
    }
  }

  const askUnlessOverloaded = async (keyHash: string, tokens: number): Promise<GateAdmission> => {
    try {
      return await askGate(keyHash, tokens)
    } catch (error) {
      if (!failureOf(error).overloaded) throw error
      reportOverloaded()
      return { kind: 'overloaded' }
    }
  }

  return {
    admit: async (keyHash, tokens) => {
      const admission = await askUnlessOverloaded(keyHash, tokens)
      if (admission.kind !== 'admitted') return admission
      const { kind, keyId, accountId, rates, reservation } = admission
      const admittedAt = Date.now()
      return {
        ...{ kind, keyId, accountId, rates },
        settle: async spent => ({
          rates: settledRates(rates, tokens, spent.inputTokens, Date.now() - admittedAt),
          delivered: unsettled.leave(keyHash, { reservation, ...spent }),
        }),
        cancel: () => gates.getByName(keyHash).cancel(reservation),
      }
    },
  }
}

/**
 * Whether to ask once more. A Gate that was restarted, as at each deployment, holds nothing from the call that was cut
 * off. If only the connection to it broke, it may hold a reservation, which ends with its minute.
 */
const isPassing = (error: unknown): boolean => {
  const { durable_object_reset, retryable, overloaded } = failureOf(error)
  return (durable_object_reset || retryable) && !overloaded
}
