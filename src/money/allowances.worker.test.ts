import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Gate } from '../access/gate.ts'
import {
  alarmOf,
  balanceOf,
  gatesAway,
  giveUpWhatHangs,
  heldUp,
  never,
  openAccount,
  standingIn,
} from '../testing/accounts.ts'
import { stopTimers } from '../testing/clock.ts'
import type { Account } from './account.ts'
import { NANODOLLARS_PER_DOLLAR as DOLLAR } from './nanodollars.ts'

afterEach(() => {
  vi.useRealTimers()
})

const RATES = { requestsPerSecond: 7, tokensPerMinute: null }
const RATES_IN_FORCE = { requestsPerSecond: 7 }

const setup = async () => {
  const { account, newKey } = await openAccount()
  const { keyId, gate } = await newKey()
  // Finishes what making the key left to do, so that an alarm from now on is for something new.
  await runDurableObjectAlarm(account)
  const standing = () => standingIn(gate)
  return { account, keyId, standing }
}

describe('the allowance of a key that hands over', () => {
  /** Of 5.00, each of two keys holds 2.50. */
  const twoKeys = async () => {
    const { account, newKey } = await openAccount()
    const [one, other] = [await newKey(), await newKey()]
    await runDurableObjectAlarm(account)
    let sequence = 0
    const handOver = async ({ keyId }: { keyId: string }, dollars: number) => {
      const usage = { requests: 1, inputTokens: 1, nanodollars: dollars * DOLLAR }
      return ((await account.handOver(keyId, ++sequence, usage))?.allowance ?? 0) / DOLLAR
    }
    /** What `one` holds. */
    const held = async () => ((await account.standingOf(one.keyId))?.allowance ?? 0) / DOLLAR
    return { account, one, other, handOver, held }
  }

  it('is what no other key holds', async () => {
    const { account, one, handOver } = await twoKeys()
    expect(await handOver(one, 1)).toBe(1.5)
    await account.credit('top up', 'top_up', 3 * DOLLAR)
    expect(await handOver(one, 0.01)).toBe(3.49)
  })

  it('is no more than its even share', async () => {
    const { one, other, handOver } = await twoKeys()
    expect(await handOver(other, 2.4)).toBe(0.1)
    expect(await handOver(one, 0.1)).toBe(1.25)
  })

  it('is zero if others hold all that is left', async () => {
    const { one, handOver } = await twoKeys()
    expect(await handOver(one, 4)).toBe(0)
  })

  it('ignores what revoked keys hold', async () => {
    const { account, one, other, handOver } = await twoKeys()
    await account.revokeKey(other.keyId)
    expect(await handOver(one, 1)).toBe(4)
    await account.revokeKey(one.keyId)
    await handOver(one, 4)
    expect(await account.summary()).toMatchObject({ balance: 0 })
  })

  it('needs none: what an expired key spent is charged, though no key is left to hold anything', async () => {
    const { account, newKey } = await openAccount()
    vi.useFakeTimers({ toFake: ['Date'] })
    const { keyId } = await newKey({ expiresAt: Date.now() + 1 })
    vi.setSystemTime(Date.now() + 1)
    const usage = { requests: 1, inputTokens: 1, nanodollars: 5 * DOLLAR }
    expect(await account.handOver(keyId, 1, usage)).toMatchObject({ allowance: 0, funded: false })
    expect(await balanceOf(account)).toBe(0)
  })

  it('is shared out anew when a key has spent all it held', async () => {
    const { one, handOver, held } = await twoKeys()
    expect(await handOver(one, 2.5)).toBe(0)
    await vi.waitFor(async () => expect(await held()).toBe(1.25))
  })

  it('is shared out anew when a revoked key hands over usage of what the others now hold', async () => {
    const { account, other, handOver, held } = await twoKeys()
    await account.revokeKey(other.keyId)
    await account.credit('top up', 'top_up', DOLLAR)
    expect(await held()).toBe(6)
    await handOver(other, 2)
    await vi.waitFor(async () => expect(await held()).toBe(4))
  })

  it('is shared out anew when a key that its account has forgotten hands over', async () => {
    const { handOver, held } = await twoKeys()
    await handOver({ keyId: 'key_forgotten' }, 2)
    await vi.waitFor(async () => expect(await held()).toBe(1.5))
  })

  it('is shared out although a Gate that is asked to hand over hangs, and shared out again later', async () => {
    const { account, one, handOver, held } = await twoKeys()
    stopTimers()
    const hanging = vi.spyOn(Gate.prototype, 'handOverNow').mockImplementation(() => new Promise(() => {}))
    await handOver(one, 2.5)
    await vi.waitFor(() => expect(hanging).toHaveBeenCalledTimes(2))
    hanging.mockRestore()
    await giveUpWhatHangs(account)
    await vi.waitFor(async () => expect(await held()).toBe(1.25))
    await handOver(one, 1.25)
    await vi.waitFor(async () => expect(await held()).toBe(0.625))
  })
})

it('the allowance of a key is zero, not less, if more was deducted than there was', async () => {
  const { account, keyId } = await setup()
  await account.credit('refund', 'refund', -7 * DOLLAR)
  expect(await account.standingOf(keyId)).toMatchObject({ funded: false, allowance: 0 })
})

describe('a payment', () => {
  it('has an alarm set while it is shared out, in case the account crashes', async () => {
    const { account, standing } = await setup()
    expect(await alarmOf(account)).toBeNull()
    const adopting = vi.spyOn(Gate.prototype, 'adopt').mockImplementationOnce(never)
    stopTimers()
    const credited = account.credit('payment', 'top_up', DOLLAR)
    await vi.waitFor(() => expect(adopting).toHaveBeenCalledTimes(1))
    expect(await alarmOf(account)).not.toBeNull()
    await giveUpWhatHangs(account)
    await credited
    await runDurableObjectAlarm(account)
    expect(await standing()).toMatchObject({ allowance: 6 * DOLLAR })
  })

  it('is shared out although it came while another was being shared out', async () => {
    const { account, newKey } = await openAccount()
    const { keyId } = await newKey()
    await runDurableObjectAlarm(account)
    const adopting = vi.spyOn(Gate.prototype, 'adopt').mockImplementationOnce(never)
    stopTimers()
    const first = account.credit('first', 'top_up', DOLLAR)
    await vi.waitFor(() => expect(adopting).toHaveBeenCalledTimes(1))
    const second = account.credit('second', 'top_up', DOLLAR)
    await vi.waitFor(async () => expect(await balanceOf(account)).toBe(7 * DOLLAR))
    await giveUpWhatHangs(account)
    await Promise.all([first, second])
    expect(await account.standingOf(keyId)).toMatchObject({ allowance: 7 * DOLLAR })
  })
})

type Change = (account: DurableObjectStub<Account>, keyId: string) => Promise<unknown>

describe('news of a key', () => {
  it.each<[string, Change, object]>([
    ['that it is revoked', (account, keyId) => account.revokeKey(keyId), { revoked: true }],
    [
      'of its reserved rates',
      (account, keyId) => account.reserveRates(keyId, RATES),
      { limits: { requestsPerSecond: 7 } },
    ],
  ])('%s reaches its Gate even if the account crashes on the way', async (_, change, told) => {
    const { account, keyId, standing } = await setup()
    const hanging = vi.spyOn(Gate.prototype, 'adopt').mockImplementation(never)
    // Its answer never comes, as if the account had crashed.
    void change(account, keyId).catch(() => {})
    await vi.waitFor(() => expect(hanging).toHaveBeenCalled())
    hanging.mockRestore()
    expect(await standing()).not.toMatchObject(told)
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await standing()).toMatchObject(told)
  })

  it('that it is revoked is heard, and answered, although the Gate of another key hangs', async () => {
    const { account, newKey } = await openAccount()
    const [one, other] = [await newKey(), await newKey()]
    await runDurableObjectAlarm(account)
    const { adopt } = Gate.prototype
    const adopting = vi.spyOn(Gate.prototype, 'adopt').mockImplementation(function (this: Gate, standing) {
      return standing.keyId === other.keyId ? never() : adopt.call(this, standing)
    })
    stopTimers()
    const reserved = account.reserveRates(other.keyId, RATES)
    await vi.waitFor(() => expect(adopting).toHaveBeenCalledTimes(1))
    const revoked = account.revokeKey(one.keyId)
    await vi.waitFor(() => {
      expect(adopting).toHaveBeenCalledTimes(3)
      // Both calls to the Gate that hangs are under way; the other Gate has answered.
      expect(vi.getTimerCount()).toBe(2)
    })
    await giveUpWhatHangs(account)
    expect(await revoked).toMatchObject({ kind: 'told' })
    expect(await reserved).toEqual({ kind: 'untold' })
    expect(await one.gate.identify()).toEqual({ kind: 'invalid_api_key' })
    adopting.mockRestore()
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await standingIn(other.gate)).toMatchObject({ limits: RATES_IN_FORCE })
  })

  it('that it is revoked does not count as heard because of a hand-over that crossed it', async () => {
    const { account, keyId, standing } = await setup()
    const failing = gatesAway()
    const revoked = account.revokeKey(keyId)
    // The call of its earlier life is answered, but nobody hears the answer.
    await account.handOver(keyId, 1, { requests: 1, inputTokens: 1, nanodollars: 1 })
    expect(await revoked).toEqual({ kind: 'untold' })
    failing.mockRestore()
    expect(await standing()).toMatchObject({ revoked: false })
    await runDurableObjectAlarm(account)
    expect(await standing()).toMatchObject({ revoked: true })
    // After that there is nothing left to tell it, whatever it still hands over.
    await account.handOver(keyId, 2, { requests: 1, inputTokens: 1, nanodollars: 1 })
    await evictDurableObject(account)
    await account.summary()
    expect(await runDurableObjectAlarm(account)).toBe(false)
  })

  it('that it is revoked does not count as heard because of earlier news that is heard after it', async () => {
    const { account, keyId, standing } = await setup()
    const held = heldUp()
    const adopting = gatesAway().mockImplementationOnce(async () => {
      await held.passes()
    })
    const reserved = account.reserveRates(keyId, RATES)
    await vi.waitFor(() => expect(adopting).toHaveBeenCalledOnce())
    expect(await account.revokeKey(keyId)).toEqual({ kind: 'untold' })
    held.letPass()
    await reserved
    adopting.mockRestore()
    await runDurableObjectAlarm(account)
    expect(await standing()).toMatchObject({ revoked: true })
  })

  it('has an alarm set for as long as its Gate is away', async () => {
    const { account, keyId, standing } = await setup()
    const failing = gatesAway()
    expect(await account.revokeKey(keyId)).toEqual({ kind: 'untold' })
    for (let times = 0; times < 2; times++) expect(await runDurableObjectAlarm(account)).toBe(true)
    failing.mockRestore()
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await standing()).toMatchObject({ revoked: true })
  })

  it('has an alarm set in the next life of the account if the last one was given up', async () => {
    const { account, keyId, standing } = await setup()
    const failing = gatesAway()
    expect(await account.revokeKey(keyId)).toEqual({ kind: 'untold' })
    failing.mockRestore()
    await runInDurableObject(account, (_, { storage }) => storage.deleteAlarm())
    await evictDurableObject(account)
    await account.summary()
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await standing()).toMatchObject({ revoked: true })
    expect(await runDurableObjectAlarm(account)).toBe(false)
    await evictDurableObject(account)
    await account.summary()
    expect(await runDurableObjectAlarm(account)).toBe(false)
  })
})
