import { failureOf } from '../fault.ts'
import { Gathered } from '../gathered.ts'
import type { Gatekeeper, Overloaded } from './admission.ts'
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

  const askUnlessOverloaded = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | Overloaded> => {
    try {
      return await onceMoreIfPassing(ask)
    } catch (error) {
      if (!failureOf(error).overloaded) throw error
      reportOverloaded()
      return { kind: 'overloaded' }
    }
  }

  const admission = (keyHash: string, tokens: number): Promise<GateAdmission | Overloaded> => {
    let carried: readonly Settlement[] = unsettled.take(keyHash)
    return askUnlessOverloaded(async () => {
      // They may already have been counted if the call fails, so they are not sent twice.
      const settlements = carried
      carried = []
      try {
        return await gates.getByName(keyHash).admit(tokens, settlements)
      } catch (error) {
        if (settlements.length > 0) reportLost(settlements.length)
        throw error
      }
    })
  }

  return {
    identify: keyHash => askUnlessOverloaded(async () => await gates.getByName(keyHash).identify()),

    admit: async (keyHash, tokens) => {
      const answer = await admission(keyHash, tokens)
      if (answer.kind !== 'admitted') return answer
      const { kind, keyId, accountId, rates, reservation } = answer
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

const onceMoreIfPassing = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await ask()
  } catch (error) {
    if (!isPassing(error)) throw error
    return await ask()
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
