import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { Account, type KeyOrder } from '../money/account.ts'
import { alarmOf, balanceOf, heldUp, never, openAccount, spend, standingIn } from '../testing/accounts.ts'
import { useStoppedClock } from '../testing/clock.ts'
import { linesOf } from '../testing/log.ts'
import type { Gate, Reservation } from './gate.ts'
import type { Standing } from './standing.ts'

useStoppedClock('setTimeout', 'clearTimeout')

const SPENT = { inputTokens: 1_000, costNanodollars: 100_000 }

const setup = async ({ verified = true, ...order }: { verified?: boolean } & Partial<KeyOrder> = {}) => {
  const { id, account, newKey } = await openAccount({ verified })
  const { keyId, gate } = await newKey(order)
  return { accountId: id, account, keyId, gate }
}

const admitted = async (gate: DurableObjectStub<Gate>, tokens = 5_000) => {
  const admission = await gate.admit(tokens)
  if (admission.kind !== 'admitted') throw new Error(admission.kind)
  return admission
}

const settle = async (gate: DurableObjectStub<Gate>, reservation: Reservation, spent = SPENT) => {
  await gate.settle([{ reservation, ...spent }])
  const identity = await gate.identify()
  if (identity.kind !== 'known') throw new Error(identity.kind)
  return identity.rates
}

/** Makes every write fail until the returned function is called. */
const fillDisk = async (object: DurableObjectStub<Gate>) => {
  const full = () => {
    throw new Error('The disk is full.')
  }
  const spies = await runInDurableObject(object, (_, { storage }) => [
    vi.spyOn(storage.kv, 'put').mockImplementation(full),
    vi.spyOn(storage, 'setAlarm').mockImplementation(async () => full()),
  ])
  return () => {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Has accounts do this with each hand-over, which they would only book. */
const onHandOver = (act: (book: () => Standing | null, keyId: string) => unknown) => {
  const { handOver } = Account.prototype
  return vi.spyOn(Account.prototype, 'handOver').mockImplementation(function (this: Account, ...usage) {
    return act(() => handOver.apply(this, usage), usage[0]) as Standing | null
  })
}

/** The calls about this key or account: Gates of other tests may wake and make calls too. */
const callsOf = (calls: readonly unknown[][], id: string) => calls.filter(([of]) => of === id)

/** Moves the clock to when counted usage has been written. Timers only work within the object that set them. */
const written = (gate: DurableObjectStub<Gate>) =>
  runInDurableObject(gate, () => {
    vi.advanceTimersByTime(150)
  })

/** The clock stands still meanwhile; `vi.waitFor` would move it. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await scheduler.wait(1)
}

describe('a request', () => {
  it('is charged for its actual usage, a minute later', async () => {
    const { account, gate } = await setup()
    const { rates: before, reservation } = await admitted(gate)
    expect(before).toMatchObject({ remainingRequests: 399, remainingTokens: 19_995_000 })
    const rates = await settle(gate, reservation)
    expect(rates.remainingTokens).toBe(19_999_000)
    expect(await balanceOf(account)).toBe(5_000_000_000)
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
  })

  it('is settled once, even if settled again', async () => {
    const { account, gate } = await setup()
    const { reservation } = await admitted(gate)
    const first = await settle(gate, reservation)
    expect(await settle(gate, reservation)).toEqual(first)
    await gate.handOverNow()
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
  })

  it('settles earlier requests, even if it is refused itself', async () => {
    const { account, gate } = await setup({ kind: 'playground' })
    const { reservation } = await admitted(gate)
    const settlement = { reservation, ...SPENT }
    for (let i = 0; i < 9; i++) await gate.admit(0)
    expect(await gate.admit(5, [settlement, settlement])).toMatchObject({
      kind: 'rate_limited',
      rates: { remainingTokens: 19_999_000 },
    })
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
  })

  it('that is refused later costs nothing and gets its tokens back', async () => {
    const { account, gate } = await setup()
    const { reservation } = await admitted(gate)
    const rates = await settle(gate, reservation, { inputTokens: 0, costNanodollars: 0 })
    expect(rates.remainingTokens).toBe(20_000_000)
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000)
    await written(gate)
    expect(await runDurableObjectAlarm(gate)).toBe(false)
  })

  it('that another limiter refuses gets everything back, once, unless it was settled', async () => {
    const { gate } = await setup()
    const admit = async () => (await admitted(gate)).reservation
    const [settled, cancelled] = [await admit(), await admit()]
    await settle(gate, settled)
    await admit()
    for (const reservation of [settled, cancelled, cancelled]) await gate.cancel(reservation)
    expect(await gate.identify()).toMatchObject({
      rates: { remainingRequests: 398, remainingTokens: 19_994_000 },
    })
    await evictDurableObject(gate)
    for (let i = 0; i < 3; i++) await admit()
    await gate.cancel(cancelled)
    expect(await gate.identify()).toMatchObject({ rates: { remainingRequests: 397 } })
  })

  it('is charged once, even if it took so long that the idle object left memory', async () => {
    const { account, gate } = await setup()
    const { reservation } = await admitted(gate)
    await evictDurableObject(gate)
    const rates = await settle(gate, reservation)
    expect(rates.remainingTokens).toBe(19_999_000)
    expect(await settle(gate, reservation)).toEqual(rates)
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
  })

  it.each([
    ['is charged if it took an hour', 1, 100_000],
    ['is forgotten if it took more than a day', 25, 0],
  ])('%s', async (_, hours, charged) => {
    const { account, gate } = await setup()
    const { reservation } = await admitted(gate)
    vi.setSystemTime(Date.now() + hours * 3_600_000)
    await gate.admit(1)
    await settle(gate, reservation)
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000 - charged)
  })
})

describe('the token bucket', () => {
  it('is not refilled when the object leaves memory', async () => {
    const { gate } = await setup()
    const { reservation } = await admitted(gate, 20_000_000)
    await settle(gate, reservation, { inputTokens: 19_000_000, costNanodollars: 1 })
    await written(gate)
    vi.setSystemTime(Date.now() + 30_000)
    await evictDurableObject(gate)
    await gate.handOverNow()
    await evictDurableObject(gate)
    expect(await gate.admit(2_000_000)).toMatchObject({
      kind: 'token_rate_limited',
      retryAfterSeconds: 30,
      rates: { remainingTokens: 1_000_000 },
    })
    vi.setSystemTime(Date.now() + 30_000)
    expect(await gate.admit(2_000_000)).toMatchObject({ kind: 'admitted' })
  })
})

describe('usage to be handed over', () => {
  it('survives the object once it is written, and has an alarm set', async () => {
    const { account, gate } = await setup()
    // Once it has its first share of the balance, a key need not hand over early.
    await runDurableObjectAlarm(account)
    for (let times = 0; times < 2; times++) {
      expect(await spend(gate, 100_000)).toBe('admitted')
      await written(gate)
    }
    const wakesAt = await alarmOf(gate)
    expect(wakesAt).toBeGreaterThan(Date.now() + 30_000)
    expect(wakesAt).toBeLessThanOrEqual(Date.now() + 60_000)
    await evictDurableObject(gate)
    expect(await runDurableObjectAlarm(gate)).toBe(true)
    expect(await balanceOf(account)).toBe(5_000_000_000 - 200_000)
  })

  it('is due within a second once the allowance is spent, even if the object leaves memory meanwhile', async () => {
    const { account, gate } = await setup()
    await runDurableObjectAlarm(account)
    expect(await spend(gate, 1)).toBe('admitted')
    await written(gate)
    expect(await alarmOf(gate)).toBe(Date.now() + 60_000)
    expect(await spend(gate, 5_000_000_000)).toBe('admitted')
    const due = await alarmOf(gate)
    expect(due).toBe(Date.now() + 1_000)
    await written(gate)
    await evictDurableObject(gate)
    await gate.identify()
    expect(await alarmOf(gate)).toBe(due)
  })

  it('is due within a second once news says that the allowance is less than what was counted', async () => {
    const { account, keyId, gate } = await setup()
    await runDurableObjectAlarm(account)
    expect(await spend(gate, 100_000)).toBe('admitted')
    await written(gate)
    const standing = (await account.standingOf(keyId)) as Standing
    await gate.adopt({ ...standing, version: standing.version + 1, allowance: 100_001 })
    expect(await alarmOf(gate)).toBe(Date.now() + 60_000)
    await gate.adopt({ ...standing, version: standing.version + 2, allowance: 100_000 })
    expect(await alarmOf(gate)).toBe(Date.now() + 1_000)
  })

  it('is due within a second if the answer to an earlier hand-over leaves the key a smaller allowance', async () => {
    const { account, keyId, gate } = await setup()
    await runDurableObjectAlarm(account)
    const { passes, letPass } = heldUp()
    const handingOver = onHandOver(async (book, of) => {
      const standing = book()
      if (of !== keyId) return standing
      await passes()
      return { ...standing, allowance: 50_000 }
    })
    expect(await spend(gate, 100_000)).toBe('admitted')
    const first = gate.handOverNow()
    expect(await spend(gate, 50_000)).toBe('admitted')
    await written(gate)
    expect(await alarmOf(gate)).toBe(Date.now() + 60_000)
    letPass()
    await first
    handingOver.mockRestore()
    expect(await alarmOf(gate)).toBe(Date.now() + 1_000)
  })

  it('that one life of the object left without an alarm gets one in the next', async () => {
    const { account, gate } = await setup()
    const failing = onHandOver(() => {
      throw new Error('The account fell over.')
    })
    expect(await spend(gate, 100_000)).toBe('admitted')
    await gate.handOverNow()
    failing.mockRestore()
    await runInDurableObject(gate, (_, state) => state.storage.deleteAlarm())
    await evictDurableObject(gate)
    await gate.identify()
    expect(await runDurableObjectAlarm(gate)).toBe(true)
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
  })

  it('is sent again automatically, along with later usage, if the account could not be reached', async () => {
    const { account, gate } = await setup()
    const failing = onHandOver(() => {
      throw new Error('The account fell over.')
    })
    expect(await spend(gate, 100_000)).toBe('admitted')
    await written(gate)
    expect(await runDurableObjectAlarm(gate)).toBe(true)
    expect(await alarmOf(gate)).toBeLessThanOrEqual(Date.now() + 15_000)
    expect(await spend(gate, 50_000)).toBe('admitted')
    failing.mockRestore()
    expect(await runDurableObjectAlarm(gate)).toBe(true)
    expect(await balanceOf(account)).toBe(5_000_000_000 - 150_000)
  })

  it('is sent again if the account never answers, and is booked once', async () => {
    const { account, keyId, gate } = await setup()
    await runDurableObjectAlarm(account)
    const hanging = onHandOver(book => {
      book()
      return never()
    })
    expect(await spend(gate, 100_000)).toBe('admitted')
    const first = gate.handOverNow()
    await until(() => callsOf(hanging.mock.calls, keyId).length > 0)
    hanging.mockRestore()
    await runInDurableObject(gate, () => {
      vi.advanceTimersByTime(30_000)
    })
    await first
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
    expect(await spend(gate, 50_000)).toBe('admitted')
    expect(await runDurableObjectAlarm(gate)).toBe(true)
    expect(await balanceOf(account)).toBe(5_000_000_000 - 150_000)
  })

  it('is reported once it could not be sent for a minute, however often it was tried, and then once an hour', async () => {
    const { accountId, keyId, gate } = await setup()
    const faults = linesOf('error')
    const fail = () =>
      onHandOver(() => {
        throw Object.assign(new TypeError('the canary sang'), { overloaded: true })
      })
    const failing = fail()
    const told = () => faults().filter(({ key_id }) => key_id === keyId)
    const failAt = async (now: number) => {
      vi.setSystemTime(now)
      for (let tries = 0; tries < 5; tries++) await gate.handOverNow()
      // An idle Gate leaves memory between two tries.
      await evictDurableObject(gate)
    }
    expect(await spend(gate, 100_000)).toBe('admitted')
    const start = Date.now()
    await failAt(start)
    await failAt(start + 59_000)
    expect(told()).toEqual([])
    await failAt(start + 60_000)
    const line = { kind: 'not_handed_over', account_id: accountId, key_id: keyId, overloaded: true }
    expect(told()).toMatchObject([line])
    await failAt(start + 3_650_000)
    expect(told()).toHaveLength(1)
    await failAt(start + 3_660_000)
    expect(told()).toHaveLength(2)
    failing.mockRestore()
    await gate.handOverNow()
    expect(told()).toHaveLength(2)
    expect(await spend(gate, 100_000)).toBe('admitted')
    const failingAnew = fail()
    await failAt(start + 3_700_000)
    expect(told()).toHaveLength(2)
    await failAt(start + 3_760_000)
    expect(told()).toHaveLength(3)
    failingAnew.mockRestore()
    expect(JSON.stringify(told())).not.toContain('canary')
  })

  it('that is counted while other usage is on its way gets an alarm of its own', async () => {
    const { account, keyId, gate } = await setup()
    await runDurableObjectAlarm(account)
    const handingOver = onHandOver(async (book, of) => {
      if (of === keyId) await new Promise(resolve => setTimeout(resolve, 1_000))
      return book()
    })
    const alarm = await runInDurableObject(gate, instance => vi.spyOn(instance, 'alarm'))
    expect(await spend(gate, 100_000)).toBe('admitted')
    const first = gate.handOverNow()
    expect(await spend(gate, 50_000)).toBe('admitted')
    await written(gate)
    // It goes off before the first hand-over arrives, and waits only for that one.
    const second = runDurableObjectAlarm(gate)
    await until(() => alarm.mock.calls.length > 0 && callsOf(handingOver.mock.calls, keyId).length > 0)
    await runInDurableObject(account, () => {
      vi.advanceTimersByTime(1_000)
    })
    expect(await second).toBe(true)
    await first
    expect(callsOf(handingOver.mock.calls, keyId)).toHaveLength(1)
    handingOver.mockRestore()
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
    expect(await runDurableObjectAlarm(gate)).toBe(true)
    expect(await balanceOf(account)).toBe(5_000_000_000 - 150_000)
    expect(await runDurableObjectAlarm(gate)).toBe(false)
  })

  it('is handed over once a full disk has room again', async () => {
    const { account, gate } = await setup()
    const makeRoom = await fillDisk(gate)
    expect(await spend(gate, 100_000)).toBe('admitted')
    await expect(written(gate)).rejects.toThrow('The disk is full.')
    makeRoom()
    expect(await runDurableObjectAlarm(gate)).toBe(false)
    expect(await spend(gate, 100_000)).toBe('admitted')
    expect(await runDurableObjectAlarm(gate)).toBe(true)
    expect(await balanceOf(account)).toBe(5_000_000_000 - 200_000)
  })

  it('is written in batches, not once per request', async () => {
    const { gate } = await setup()
    const writes = await runInDurableObject(gate, (_, state) => vi.spyOn(state.storage.kv, 'put'))
    for (let i = 0; i < 50; i++) await spend(gate, 100)
    await written(gate)
    expect(writes).toHaveBeenCalledOnce()
  })
})

describe('a key', () => {
  it('that is unfunded still reports its rates', async () => {
    const { gate } = await setup({ verified: false, kind: 'playground' })
    expect(await gate.admit(1)).toMatchObject({
      kind: 'insufficient_credits',
      rates: { limitRequests: 5, remainingRequests: 10 },
    })
  })

  it('that is unfunded asks its account once every ten seconds, however often it is used', async () => {
    const { accountId, gate } = await setup({ verified: false })
    const asked = await runInDurableObject(gate, instance =>
      vi.spyOn((instance as unknown as { env: Env }).env.ACCOUNT, 'getByName'),
    )
    const start = Date.now()
    for (const at of [0, 0, 0, 9_999, 10_000, 19_999]) {
      vi.setSystemTime(start + at)
      expect(await spend(gate, 1)).toBe('insufficient_credits')
    }
    expect(callsOf(asked.mock.calls, accountId)).toHaveLength(2)
  })

  it('stops working when it expires', async () => {
    const { gate } = await setup({ expiresAt: Date.now() + 1_000 })
    expect(await gate.admit(1)).toMatchObject({ kind: 'admitted' })
    vi.setSystemTime(Date.now() + 1_000)
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
  })

  it('may read its account at zero balance, under a rate limit of its own', async () => {
    const { gate } = await setup({ verified: false })
    for (let i = 0; i < 20; i++) expect(await gate.identify()).toMatchObject({ kind: 'known' })
    expect(await gate.identify()).toMatchObject({
      kind: 'rate_limited',
      retryAfterSeconds: 1,
      rates: { remainingRequests: 400 },
    })
  })

  it('applies the latest news at once, and ignores older news that arrives afterwards', async () => {
    const { account, keyId, gate } = await setup()
    await gate.admit(1)
    const before = (await standingIn(gate)) as Standing
    await account.reserveRates(keyId, { requestsPerSecond: 7, tokensPerMinute: null })
    expect(await gate.identify()).toMatchObject({ rates: { limitRequests: 7, remainingRequests: 14 } })
    await gate.adopt(before)
    expect(await gate.identify()).toMatchObject({ rates: { limitRequests: 7 } })
  })

  it('that its Gate alone revokes stays revoked, and is charged for what it has used', async () => {
    const { account, gate } = await setup()
    expect(await spend(gate, 100_000)).toBe('admitted')
    await written(gate)
    await gate.revoke()
    await evictDurableObject(gate)
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
  })

  it('is not reported as revoked before that is on disk', async () => {
    const { account, keyId, gate } = await setup()
    const makeRoom = await fillDisk(gate)
    expect(await account.revokeKey(keyId)).toEqual({ kind: 'untold' })
    makeRoom()
    expect(await account.revokeKey(keyId)).toMatchObject({ kind: 'told' })
    await evictDurableObject(gate)
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
  })
})
