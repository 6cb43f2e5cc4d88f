import { describe } from 'vitest'
import { openAccount } from '../testing/accounts.ts'
import type { Gate, Reservation } from './gate.ts'
import { keepsTheLimiterContract } from './limiter.contract.ts'
import type { Limiter, Taken } from './limiter.ts'
import type { Limits } from './limits.ts'

/** The Gate as a plain limiter: each name gets a funded key with the limits asked for. */
const gateAsLimiter = (): Limiter => {
  const gates = new Map<string, DurableObjectStub<Gate>>()
  /** The Gate remembers what it took; callers of a limiter keep track of that themselves. */
  const reservations = new WeakMap<Taken, Reservation>()

  const gateFor = async (name: string, limits: Limits): Promise<DurableObjectStub<Gate>> => {
    const known = gates.get(name)
    if (known !== undefined) return known
    const { account, newKey } = await openAccount()
    const { keyId, gate } = await newKey()
    await account.reserveRates(keyId, limits)
    gates.set(name, gate)
    return gate
  }

  return (name, limits) => ({
    take: async tokens => {
      const admission = await (await gateFor(name, limits)).admit(tokens)
      if (admission.kind === 'rate_limited' || admission.kind === 'token_rate_limited') return admission
      if (admission.kind !== 'admitted') throw new Error(admission.kind)
      const taken = { tokens, windowEndsAt: 0 }
      reservations.set(taken, admission.reservation)
      return { kind: 'allowed', rates: admission.rates, taken }
    },
    correct: async (taken, used) => {
      const gate = await gateFor(name, limits)
      const reservation = reservations.get(taken)
      if (reservation === undefined) throw new Error('nothing was taken')
      await gate.settle([{ reservation, inputTokens: used, costNanodollars: 0 }])
      const identity = await gate.identify()
      if (identity.kind !== 'known') throw new Error(identity.kind)
      return { kind: 'corrected', rates: identity.rates }
    },
  })
}

describe('the Gate', () => {
  const limiter = gateAsLimiter()
  keepsTheLimiterContract(() => limiter)
})
