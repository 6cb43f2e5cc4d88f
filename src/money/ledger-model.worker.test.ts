import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { emptyMeter, type Meter } from '../access/meter.ts'
import { openAccount } from '../testing/accounts.ts'
import { Account } from './account.ts'
import type { CreditKind } from './ledger.ts'
import { STARTER_CREDIT } from './nanodollars.ts'

// Random histories of spending, paying, handing over, repeating and crashing drive the real objects, which are compared
// with a model that only adds up. Whatever happens, an account is never charged for what was not used and never
// charged twice, its balance matches its entries, and a revoked key stays revoked.

const KEYS = 3

type Step =
  /**
   * Settled by a call of its own or along with the next request; a lost answer causes it to be sent twice. A long
   * request is settled after the Gate has left memory.
   */
  | { do: 'spend'; key: number; cost: number; along: boolean; long: boolean }
  | { do: 'top up'; reference: number; amount: number }
  | { do: 'refund'; reference: number; amount: number }
  | { do: 'hand over'; key: number }
  | { do: 'alarm'; key: number }
  /** The account has booked it, but its answer never reached the Gate, which then crashed. */
  | { do: 'lose the answer'; key: number }
  /** The hand-over is sealed on disk, but the Gate crashed before it was sent. */
  | { do: 'crash before sending'; key: number }
  /** An old hand-over turns up again, with other figures. */
  | { do: 'repeat'; key: number; back: number }
  | { do: 'crash gate'; key: number }
  | { do: 'crash account' }
  | { do: 'revoke'; key: number }
  /** The account is restored to an earlier point in time, as far as the key's row is concerned. */
  | { do: 'forget the revocation'; key: number }
  | { do: 'forget the key'; key: number }

const key = fc.nat(KEYS - 1)
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('spend'),
        key,
        cost: fc.integer({ min: 1, max: 9e8 }),
        along: fc.boolean(),
        long: fc.boolean(),
      }),
    },
    fc.record({ do: fc.constant('top up'), reference: fc.nat(3), amount: fc.integer({ min: 1, max: 9e9 }) }),
    fc.record({ do: fc.constant('refund'), reference: fc.nat(3), amount: fc.integer({ min: 1, max: 9e9 }) }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('hand over'), key }) },
    fc.record({ do: fc.constant('alarm'), key }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('lose the answer'), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('crash before sending'), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat'), key, back: fc.nat(3) }) },
    fc.record({ do: fc.constant('crash gate'), key }),
    fc.record({ do: fc.constant('crash account') }),
    fc.record({ do: fc.constant('revoke'), key }),
    fc.record({ do: fc.constant('forget the revocation'), key }),
    fc.record({ do: fc.constant('forget the key'), key }),
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 30 },
)

describe('the ledger', () => {
  it('adds up after any history', async () => {
    await fc.assert(fc.asyncProperty(steps, live), { numRuns: 25 })
  }, 180_000)

  it('keeps one entry for all that a key was charged in a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 23, 59) })
    const { account, newKey } = await openAccount()
    const { keyId } = await newKey()
    for (const sequence of [1, 2, 3]) {
      if (sequence === 3) vi.setSystemTime(Date.UTC(2026, 10, 22))
      await account.handOver(keyId, sequence, { requests: 1, inputTokens: 10, nanodollars: 100 })
    }
    vi.useRealTimers()
    const charges = await runInDurableObject(account, (_, { storage: { sql } }) =>
      sql.exec('SELECT * FROM charges').toArray(),
    )
    expect(charges).toEqual([
      { day: '2026-11-21', key_id: keyId, requests: 2, input_tokens: 20, nanodollars: 200 },
      { day: '2026-11-22', key_id: keyId, requests: 1, input_tokens: 10, nanodollars: 100 },
    ])
  })
})

const live = async (history: Step[]): Promise<void> => {
  const world = await newWorld()
  for (const step of history) {
    await world.take(step)
    await world.check()
  }
  await world.end()
  await world.check()
}

const newWorld = async () => {
  const { account, newKey } = await openAccount()
  const keys = await Promise.all(
    Array.from({ length: KEYS }, async () => {
      const { keyId: id, gate } = await newKey()
      return { id, gate, spent: 0, lost: 0, revoked: false }
    }),
  )
  type Key = (typeof keys)[number]
  const model = { paid: STARTER_CREDIT, references: new Set<string>() }

  const meterOf = ({ gate }: Key): Promise<Meter> =>
    runInDurableObject(gate, (_, state) => state.storage.kv.get<Meter>('meter') ?? emptyMeter)

  const booksOf = ({ id: keyId }: Key): Promise<{ charged: number; sequence: number }> =>
    runInDurableObject(account, (_, { storage: { sql } }) => {
      const first = (query: string) => sql.exec<{ n: number | null }>(query, keyId).one().n ?? 0
      return {
        charged: first('SELECT sum(nanodollars) AS n FROM charges WHERE key_id = ?'),
        sequence: first('SELECT max(sequence) AS n FROM handovers WHERE key_id = ?'),
      }
    })

  /** The Gate loses its memory. Nobody owes what it had neither written down nor handed over. */
  const crash = async (key: Key): Promise<void> => {
    await evictDurableObject(key.gate)
    let meter: Meter
    let books: { charged: number; sequence: number }
    do {
      meter = await meterOf(key)
      books = await booksOf(key)
      // The account may be collecting in the background: read again until both match.
    } while (JSON.stringify(meter) !== JSON.stringify(await meterOf(key)))
    const sealed = books.sequence >= meter.sequence ? 0 : (meter.sealed?.nanodollars ?? 0)
    key.lost = key.spent - (books.charged + sealed + meter.open.nanodollars)
    expect(key.lost).toBeGreaterThanOrEqual(0)
  }

  /** Runs a hand-over during which the account's side fails, before or after booking it. */
  const handOverFailing = async ({ gate }: Key, when: 'before' | 'after'): Promise<void> => {
    const { handOver } = Account.prototype
    const failing = vi.spyOn(Account.prototype, 'handOver').mockImplementation(function (
      this: Account,
      ...sent
    ) {
      if (when === 'after') handOver.apply(this, sent)
      throw new Error('The account fell over.')
    })
    await gate.handOverNow()
    failing.mockRestore()
  }

  const book = async (reference: string, kind: CreditKind, amount: number): Promise<void> => {
    await account.credit(reference, kind, amount)
    if (!model.references.has(reference)) model.paid += amount
    model.references.add(reference)
  }

  const change = (query: string, keyId: string): Promise<void> =>
    runInDurableObject(account, (_, { storage }) => void storage.sql.exec(query, keyId))

  const take = async (step: Step): Promise<void> => {
    if (step.do === 'crash account') return evictDurableObject(account)
    if (step.do === 'top up') return book(`top_up:${step.reference}`, 'top_up', step.amount)
    if (step.do === 'refund') return book(`refund:${step.reference}`, 'refund', -step.amount)
    const key = keys[step.key]
    if (key === undefined) throw new Error('no such key')
    switch (step.do) {
      case 'spend': {
        const admission = await key.gate.admit(1)
        if (admission.kind !== 'admitted') return
        const { reservation } = admission
        if (step.long) await crash(key)
        const settlement = { reservation, inputTokens: 1, costNanodollars: step.cost }
        if (step.along) await key.gate.admit(1, [settlement, settlement])
        else await key.gate.settle([settlement])
        key.spent += step.cost
        return
      }
      case 'hand over':
        return key.gate.handOverNow()
      case 'alarm':
        await runDurableObjectAlarm(key.gate)
        return
      case 'lose the answer':
        await handOverFailing(key, 'after')
        return crash(key)
      case 'crash before sending':
        await handOverFailing(key, 'before')
        return crash(key)
      case 'crash gate':
        return crash(key)
      case 'repeat': {
        const sequence = (await booksOf(key)).sequence - step.back
        if (sequence > 0)
          await account.handOver(key.id, sequence, { requests: 1, inputTokens: 1, nanodollars: 1e9 })
        return
      }
      case 'revoke':
        if ((await account.revokeKey(key.id))?.kind === 'told') key.revoked = true
        return
      case 'forget the revocation':
        return change('UPDATE keys SET revoked_at = NULL, told_version = 0 WHERE id = ?', key.id)
      case 'forget the key':
        return change('DELETE FROM keys WHERE id = ?', key.id)
    }
  }

  const check = async (): Promise<void> => {
    const summary = await account.summary()
    expect(summary?.balance).toBe((summary?.credits ?? 0) - (summary?.charges ?? 0))
    expect(summary?.credits).toBe(model.paid)
    for (const key of keys) {
      if (key.revoked) expect(await key.gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
    }
    expect(summary?.charges).toBeLessThanOrEqual(keys.reduce((sum, key) => sum + key.spent, 0))
  }

  /** In the end everything that was not lost is charged, to the nanodollar. */
  const end = async (): Promise<void> => {
    for (const key of keys) {
      await key.gate.handOverNow()
      expect((await booksOf(key)).charged).toBe(key.spent - key.lost)
    }
  }

  return { take, check, end }
}
