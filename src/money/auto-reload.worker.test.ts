import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { alarmOf, openAccount } from '../testing/accounts.ts'
import { useStoppedClock } from '../testing/clock.ts'
import { linesOf } from '../testing/log.ts'
import { Ledger } from './ledger.ts'
import { localPayments } from './local-payments.ts'
import { NANODOLLARS_PER_DOLLAR as DOLLAR } from './nanodollars.ts'
import type { Payments } from './payments.ts'

const HOUR_MS = 60 * 60_000

useStoppedClock()

const setup = async () => {
  const { id, account, newKey } = await openAccount()
  const { keyId, gate } = await newKey()
  let sequence = 0
  const spend = async (dollars: number) => {
    const usage = { requests: 1, inputTokens: 1, nanodollars: dollars * DOLLAR }
    await account.handOver(keyId, ++sequence, usage)
  }
  const reloads = async () =>
    (await account.credits(200, null))?.filter(({ kind }) => kind === 'auto_reload').length
  const nextAlarmIn = async () => ((await alarmOf(account)) ?? 0) - Date.now()
  /** Lets time pass: moves to the next alarm, or on by an hour if none is set, and runs what is due. */
  const passHours = async (hours: number) => {
    const until = Date.now() + hours * HOUR_MS
    while (Date.now() < until) {
      const alarmIn = await nextAlarmIn()
      vi.setSystemTime(Math.min(until, Date.now() + (alarmIn > 0 ? alarmIn : HOUR_MS)))
      if ((await nextAlarmIn()) <= 0) await runDurableObjectAlarm(account)
    }
  }
  const balance = async () => ((await account.summary())?.balance ?? 0) / DOLLAR
  return { id, account, gate, spend, reloads, balance, nextAlarmIn, passHours }
}

const SETTINGS = { threshold: 2 * DOLLAR, amount: 10 * DOLLAR }

const payWith = (chargeAgain: Payments['chargeAgain']) =>
  vi.spyOn(localPayments, 'chargeAgain').mockImplementation(chargeAgain)

describe('auto-reload', () => {
  it('buys the amount when the balance falls below the threshold', async () => {
    const { account, spend, reloads, balance } = await setup()
    await account.setAutoReload(SETTINGS)
    await spend(3)
    expect(await balance()).toBe(2)
    await runDurableObjectAlarm(account)
    expect(await reloads()).toBe(0)
    await spend(1)
    await vi.waitFor(async () => expect(await balance()).toBe(11))
    expect(await reloads()).toBe(1)
  })

  it('buys it at once when a refund takes the balance below the threshold', async () => {
    const { account, reloads } = await setup()
    await account.setAutoReload(SETTINGS)
    await account.credit('refund', 'refund', -4 * DOLLAR)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
  })

  it('fires at most once in 24 hours', async () => {
    const { account, spend, reloads } = await setup()
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
    await spend(10)
    const firedAt = (await account.summary())?.lastReload?.startedAt ?? 0
    vi.setSystemTime(firedAt + 24 * HOUR_MS - 1)
    await spend(0)
    await account.setAutoReload(null)
    await account.setAutoReload(SETTINGS)
    await runDurableObjectAlarm(account)
    expect(await reloads()).toBe(1)
    vi.setSystemTime(firedAt + 24 * HOUR_MS)
    await spend(0)
    await vi.waitFor(async () => expect(await reloads()).toBe(2))
  })

  it('fires again a day after a clock that was a year ahead is corrected', async () => {
    const { account, spend, reloads, passHours } = await setup()
    await account.setAutoReload(SETTINGS)
    const now = Date.now()
    vi.setSystemTime(now + 365 * 24 * HOUR_MS)
    await spend(4)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
    vi.setSystemTime(now)
    // Inside an object in memory, the clock is never set back.
    await evictDurableObject(account)
    await spend(10)
    await passHours(23)
    expect(await reloads()).toBe(1)
    await passHours(1)
    expect(await reloads()).toBe(2)
  })

  it('stops asking about a payment 23 hours after a clock that was a year ahead is corrected', async () => {
    const { account, spend, passHours } = await setup()
    const charge = payWith(() => Promise.reject(new Error('The line is dead.')))
    await account.setAutoReload(SETTINGS)
    const now = Date.now()
    vi.setSystemTime(now + 365 * 24 * HOUR_MS)
    await spend(4)
    await vi.waitFor(() => expect(charge).toHaveBeenCalled())
    vi.setSystemTime(now)
    await evictDurableObject(account)
    await account.setAutoReload(null)
    await passHours(23.5)
    expect((await account.summary())?.lastReload?.outcome).toBe('given_up')
  })

  it('is a payment of its own, though another account fires at the same moment', async () => {
    const asked = vi.spyOn(localPayments, 'chargeAgain')
    for (const { account } of [await setup(), await setup()]) {
      await account.setAutoReload({ ...SETTINGS, threshold: 6 * DOLLAR })
    }
    const [one, other] = asked.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey)
    expect(one).not.toBe(other)
  })

  it('asks about the same payment again if the answer was lost', async () => {
    const { account, spend, reloads, balance } = await setup()
    await account.rememberPayer('cus_1:pm_1', 1)
    const asked: Parameters<Payments['chargeAgain']>[0][] = []
    payWith(async order => {
      asked.push(order)
      if (asked.length === 1) throw new Error('The line is dead.')
      return { kind: 'paid', reference: 'pi_1' }
    })
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    expect(await reloads()).toBe(0)
    // Someone pays with another card meanwhile, which is for the next reload.
    await account.rememberPayer('cus_2:pm_2', 2)
    await evictDurableObject(account)
    await runDurableObjectAlarm(account)
    expect(asked[1]).toEqual(asked[0])
    expect(await balance()).toBe(11)
  })

  it('asks about the same payment again if it was paid but could not be booked', async () => {
    const { account, spend, balance } = await setup()
    const lines = linesOf('error')
    const asked = vi.spyOn(localPayments, 'chargeAgain')
    await account.setAutoReload(SETTINGS)
    vi.spyOn(Ledger.prototype, 'credit').mockImplementationOnce(() => {
      throw new Error('The disk is full.')
    })
    await spend(4)
    await vi.waitFor(() => expect(lines()).toMatchObject([{ kind: 'reload', outcome: 'unknown' }]))
    expect(await balance()).toBe(1)
    await runDurableObjectAlarm(account)
    expect(await balance()).toBe(11)
    expect(asked.mock.calls[1]).toEqual(asked.mock.calls[0])
  })

  it('asks ever more rarely while nobody answers', async () => {
    const { account, spend, nextAlarmIn } = await setup()
    const charge = payWith(async () => {
      throw new Error('The line is dead.')
    })
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1))
    const firedAt = (await account.summary())?.lastReload?.startedAt ?? 0
    for (const [times, [passedMs, waitMs]] of [
      [0, 10_000],
      [60_000, 15_000],
      [HOUR_MS, HOUR_MS / 4],
      [22 * HOUR_MS, HOUR_MS / 2],
    ].entries()) {
      vi.setSystemTime(firedAt + (passedMs ?? 0))
      await runDurableObjectAlarm(account)
      expect(charge).toHaveBeenCalledTimes(2 + times)
      expect(await nextAlarmIn()).toBe(waitMs)
    }
    vi.setSystemTime(firedAt + 23 * HOUR_MS + 1)
    await runDurableObjectAlarm(account)
    expect(charge).toHaveBeenCalledTimes(5)
    // It has given up: the next firing is another payment.
    expect(await nextAlarmIn()).toBe(HOUR_MS - 1)
  })

  it('tells the operator once that nobody answers, in whichever life, and once that it has given up', async () => {
    const { id, account, spend } = await setup()
    const told = linesOf('error')
    const charge = payWith(async () => {
      throw Object.assign(new Error('sk_live_canary'), { name: 'StripeConnectionError' })
    })
    const unknown = { kind: 'reload', outcome: 'unknown', account_id: id, name: 'StripeConnectionError' }
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1))
    await evictDurableObject(account)
    await runDurableObjectAlarm(account)
    expect(charge).toHaveBeenCalledTimes(2)
    expect(told()).toMatchObject([unknown])
    const { startedAt = 0, outcome } = (await account.summary())?.lastReload ?? {}
    expect(outcome).toBe('unknown')
    vi.setSystemTime(startedAt + 23 * HOUR_MS + 1)
    await runDurableObjectAlarm(account)
    expect((await account.summary())?.lastReload?.outcome).toBe('given_up')
    expect(told()).toMatchObject([unknown, { kind: 'reload', outcome: 'given_up', account_id: id }])
    expect(JSON.stringify(told())).not.toContain('canary')
  })

  it('tells the operator that it has given up, too, if it could not do so before the next firing', async () => {
    const { id, account, spend, reloads } = await setup()
    const told = linesOf('error')
    const charge = payWith(() => Promise.reject(new Error('The line is dead.')))
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1))
    charge.mockResolvedValue({ kind: 'paid', reference: 'pi_2' })
    // As if the platform had been away all the time, and a hand-over came before the alarm.
    vi.setSystemTime(Date.now() + 25 * HOUR_MS)
    await spend(0)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
    expect(told()).toMatchObject([
      { kind: 'reload', outcome: 'unknown', account_id: id },
      { kind: 'reload', outcome: 'given_up', account_id: id },
    ])
  })

  it('credits once if the payment’s own event comes first', async () => {
    const { id, account, spend, balance } = await setup()
    payWith(async () => {
      await env.ACCOUNT.getByName(id).credit('payment:pi_1', 'auto_reload', SETTINGS.amount)
      return { kind: 'paid', reference: 'pi_1' }
    })
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(async () => expect(await balance()).toBe(11))
    await runDurableObjectAlarm(account)
    expect(await balance()).toBe(11)
  })

  it.each([{ kind: 'declined' } as const, { kind: 'pending', reference: 'pi_1' } as const])(
    'credits nothing if the payment is $kind',
    async outcome => {
      const { account, spend, reloads } = await setup()
      const charge = payWith(async () => outcome)
      await account.setAutoReload(SETTINGS)
      await spend(4)
      await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1))
      await spend(0)
      await runDurableObjectAlarm(account)
      expect(charge).toHaveBeenCalledTimes(1)
      expect(await reloads()).toBe(0)
    },
  )

  describe('with a payment that takes days, such as a debit of a bank account,', () => {
    const setupPending = async () => {
      const all = await setup()
      let payments = 0
      const charge = payWith(async () => ({ kind: 'pending', reference: `pi_${++payments}` }))
      await all.account.setAutoReload(SETTINGS)
      await all.spend(6)
      await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1))
      return { ...all, charge }
    }

    it('asks for no other until it arrives, and then once that is used up', async () => {
      const { account, spend, passHours, charge, balance } = await setupPending()
      await passHours(4 * 24)
      expect(charge).toHaveBeenCalledTimes(1)
      await account.credit('payment:pi_1', 'auto_reload', SETTINGS.amount)
      expect(await account.summary()).toMatchObject({ lastReload: { outcome: 'paid' } })
      expect(await balance()).toBe(9)
      await spend(9)
      await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(2))
    })

    it('asks for another when it fails, once the day is over', async () => {
      const { account, passHours, charge } = await setupPending()
      await passHours(1)
      await account.paymentFailed('payment:pi_other')
      await account.paymentFailed('payment:pi_1')
      expect(await account.summary()).toMatchObject({ lastReload: { outcome: 'declined' } })
      await passHours(22)
      expect(charge).toHaveBeenCalledTimes(1)
      await passHours(2)
      expect(charge).toHaveBeenCalledTimes(2)
    })

    it('asks for another after a week if nothing is heard of it', async () => {
      const { passHours, charge } = await setupPending()
      await passHours(7 * 24 - 1)
      expect(charge).toHaveBeenCalledTimes(1)
      await passHours(2)
      expect(charge).toHaveBeenCalledTimes(2)
    })
  })

  it('saves its one attempt a day until there is somebody to charge', async () => {
    const { account, spend, reloads } = await setup()
    const canCharge = vi.spyOn(localPayments, 'canCharge').mockReturnValue(false)
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await runDurableObjectAlarm(account)
    expect(await account.summary()).toMatchObject({ lastReload: null, reloadsCanPay: false })
    canCharge.mockReturnValue(true)
    await spend(0)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
  })

  it('fires for the first time in the next life if there was nobody to charge before', async () => {
    const { account, spend, reloads, nextAlarmIn } = await setup()
    const nobody = vi.spyOn(localPayments, 'canCharge').mockReturnValue(false)
    await account.setAutoReload(SETTINGS)
    await spend(5)
    await runDurableObjectAlarm(account)
    nobody.mockRestore()
    await evictDurableObject(account)
    // A key without credit spends nothing that would ask.
    await account.summary()
    expect(await nextAlarmIn()).toBe(0)
    await runDurableObjectAlarm(account)
    expect(await reloads()).toBe(1)
  })

  it('has its firing on disk, with an alarm, before it asks for money', async () => {
    const { account, spend, nextAlarmIn } = await setup()
    await spend(4)
    await runDurableObjectAlarm(account)
    expect(await nextAlarmIn()).toBeLessThan(0)
    const charge = payWith(() => new Promise(() => {}))
    void account.setAutoReload(SETTINGS).catch(() => {})
    await vi.waitFor(() => expect(charge).toHaveBeenCalled())
    const details = await runInDurableObject(account, (_, state) => state.storage.kv.get('profile'))
    expect(details).toMatchObject({ reload: { outcome: 'unknown', amount: SETTINGS.amount } })
    const alarmIn = await nextAlarmIn()
    expect([alarmIn > 0, alarmIn <= 10_000]).toEqual([true, true])
  })
})

describe('auto-reload, when the pause after the last firing is over', () => {
  it('fires on its own if the balance ran out meanwhile', async () => {
    const { account, gate, reloads, balance, passHours } = await setup()
    const decide = async (dollars: number) => {
      const admission = await gate.admit(1)
      if (admission.kind !== 'admitted') return admission.kind
      const { reservation } = admission
      await gate.settle([{ reservation, inputTokens: 1, costNanodollars: dollars * DOLLAR }])
      await gate.handOverNow()
      return admission.kind
    }
    await account.setAutoReload(SETTINGS)
    await decide(4)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
    await decide(11)
    expect(await balance()).toBe(0)
    expect(await decide(1)).toBe('insufficient_credits')
    await passHours(23)
    expect(await reloads()).toBe(1)
    await passHours(2)
    expect(await balance()).toBe(10)
    expect(await decide(1)).toBe('admitted')
  })

  it('tries again after a card was declined', async () => {
    const { account, spend, balance, passHours } = await setup()
    const charge = payWith(async () => ({ kind: 'declined' }))
    await account.setAutoReload(SETTINGS)
    await spend(5)
    await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1))
    await passHours(23)
    expect(charge).toHaveBeenCalledTimes(1)
    charge.mockResolvedValue({ kind: 'paid', reference: 'pi_2' })
    await passHours(2)
    expect(charge).toHaveBeenCalledTimes(2)
    expect(await balance()).toBe(10)
  })

  it('tries again in the next life if there was nobody to charge when the pause ended', async () => {
    const { account, spend, balance, passHours } = await setup()
    const charge = payWith(async () => ({ kind: 'declined' }))
    await account.setAutoReload(SETTINGS)
    await spend(5)
    await vi.waitFor(() => expect(charge).toHaveBeenCalledTimes(1))
    // As in a deployment that lacks its secret.
    const nobody = vi.spyOn(localPayments, 'canCharge').mockReturnValue(false)
    await passHours(25)
    nobody.mockRestore()
    charge.mockResolvedValue({ kind: 'paid', reference: 'pi_2' })
    await evictDurableObject(account)
    expect(await balance()).toBe(0)
    await passHours(1)
    expect(charge).toHaveBeenCalledTimes(2)
    expect(await balance()).toBe(10)
  })

  it('fires once it is known who pays, for a balance that a payment booked by hand left low', async () => {
    const { account, spend, balance } = await setup()
    vi.spyOn(localPayments, 'canCharge').mockImplementation(payer => payer !== null)
    const charge = payWith(async () => ({ kind: 'paid', reference: 'pi_2' }))
    await account.setAutoReload(SETTINGS)
    await spend(5)
    await account.credit('payment:pi_1', 'top_up', DOLLAR)
    expect(charge).not.toHaveBeenCalled()
    await account.rememberPayer('cus_1:pm_1', 1)
    expect(await account.credit('payment:pi_1', 'top_up', DOLLAR)).toBe('known')
    await vi.waitFor(async () => expect(await balance()).toBe(11))
    expect(charge).toHaveBeenCalledOnce()
  })

  it('fires for a balance that a refund took below the threshold', async () => {
    const { account, spend, reloads, balance, passHours } = await setup()
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
    await account.credit('refund:1', 'refund', -10 * DOLLAR)
    await passHours(25)
    expect(await reloads()).toBe(2)
    expect(await balance()).toBe(11)
    await account.credit('refund:2', 'refund', -10 * DOLLAR)
    await passHours(24)
    await vi.waitFor(async () => expect(await reloads()).toBe(3))
  })

  it('wakes the account no more once it is paid', async () => {
    const { account, reloads, passHours } = await setup()
    await account.setAutoReload({ ...SETTINGS, threshold: 6 * DOLLAR })
    expect(await reloads()).toBe(1)
    await passHours(1)
    await evictDurableObject(account)
    await account.summary()
    expect(await runDurableObjectAlarm(account)).toBe(false)
  })

  it('asks no sooner about an unknown payment just because the account left memory', async () => {
    const { account, spend, nextAlarmIn, passHours } = await setup()
    const charge = payWith(() => Promise.reject(new Error('Nobody answers.')))
    await account.setAutoReload(SETTINGS)
    await spend(5)
    await vi.waitFor(() => expect(charge).toHaveBeenCalled())
    await passHours(2)
    const due = Date.now() + (await nextAlarmIn())
    await evictDurableObject(account)
    await account.summary()
    expect(Date.now() + (await nextAlarmIn())).toBe(due)
    await runInDurableObject(account, (_, { storage }) => storage.deleteAlarm())
    await evictDurableObject(account)
    await account.summary()
    expect(await nextAlarmIn()).toBe(30 * 60_000)
  })

  it('keeps the alarm that is due sooner, even in a later life of the account', async () => {
    const { account, spend, reloads, nextAlarmIn } = await setup()
    await account.setAutoReload(SETTINGS)
    await spend(4)
    await vi.waitFor(async () => expect(await reloads()).toBe(1))
    await runDurableObjectAlarm(account)
    expect(await nextAlarmIn()).toBeLessThan(0)
    await spend(11)
    const soon = await nextAlarmIn()
    expect(soon).toBeLessThanOrEqual(10_000)
    await evictDurableObject(account)
    // The alarm that this sets is a day away.
    await account.setAutoReload(SETTINGS)
    expect(await nextAlarmIn()).toBe(soon)
    await runDurableObjectAlarm(account)
    expect(await nextAlarmIn()).toBeGreaterThan(23 * HOUR_MS)
  })
})
