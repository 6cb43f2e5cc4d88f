import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { balanceOf, heldUp, heldUpDirectory, KEY_ORDER, openAccount, spend } from '../testing/accounts.ts'
import { linesOf } from '../testing/log.ts'
import type { Account } from './account.ts'
import { localPayments } from './local-payments.ts'
import { NANODOLLARS_PER_DOLLAR as DOLLAR } from './nanodollars.ts'
import type { PaymentOutcome } from './payments.ts'

const SETTINGS = { threshold: 10 * DOLLAR, amount: 20 * DOLLAR }

const setup = async () => {
  const { id, account, newKey } = await openAccount()
  return { id, account, faults: linesOf('error'), ...(await newKey()) }
}

describe('an account that is closed', () => {
  it('has charged what its keys have not yet handed over', async () => {
    const { account, gate } = await setup()
    await spend(gate, DOLLAR)
    expect(await balanceOf(account)).toBe(5 * DOLLAR)
    expect(await account.close()).toMatchObject({ kind: 'told', account: { balance: 4 * DOLLAR } })
  })

  it.each(['closed', 'open again'])('has no key that was being made, though %s by then', async by => {
    const { account } = await setup()
    const entering = heldUpDirectory('enterKeys')
    const made = account.createKey(KEY_ORDER)
    await vi.waitFor(() => expect(entering.called).toHaveBeenCalledOnce())
    await account.close()
    if (by === 'open again') await account.reopen()
    entering.letPass()
    expect(await made).toEqual({ kind: 'closed' })
    expect((await account.summary())?.liveKeys).toBe(0)
  })

  it('still charges a request that was under way', async () => {
    const { account, gate } = await setup()
    const admission = await gate.admit(10)
    if (admission.kind !== 'admitted') throw new Error('refused')
    await account.close()
    const { reservation } = admission
    await gate.settle([{ reservation, inputTokens: 10, costNanodollars: DOLLAR }])
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(4 * DOLLAR)
  })

  it('books money that comes all the same, and says so, each payment once', async () => {
    const { id, account, faults } = await setup()
    await account.close()
    for (let times = 0; times < 2; times++) await account.credit('payment:1', 'top_up', DOLLAR)
    await account.credit('refund:1', 'refund', -DOLLAR)
    expect(await balanceOf(account)).toBe(5 * DOLLAR)
    expect(faults()).toEqual([{ kind: 'credited_after_closing', account_id: id }])
  })

  it('says nothing of money once it is open again', async () => {
    const { account, faults } = await setup()
    await account.close()
    await account.reopen()
    await account.credit('payment:1', 'top_up', DOLLAR)
    expect(faults()).toEqual([])
  })

  it('is still closed in its next life', async () => {
    const { account } = await setup()
    await account.close()
    await evictDurableObject(account)
    expect(await account.createKey(KEY_ORDER)).toEqual({ kind: 'closed' })
  })

  it('stays open, with its keys, if the closing could not be written', async () => {
    const { account, gate } = await setup()
    await runInDurableObject(account, async (closing: Account, { storage }) => {
      vi.spyOn(storage.kv, 'put').mockImplementationOnce(() => {
        throw new Error('The disk is full.')
      })
      await expect(closing.close()).rejects.toThrow('The disk is full.')
    })
    expect(await account.summary()).toMatchObject({ closedAt: null, liveKeys: 1 })
    expect(await spend(gate, 1)).toBe('admitted')
  })
})

describe('an automatic reload of an account that is closed', () => {
  it('does not charge the card again, though nobody knows whether it was charged', async () => {
    const { id, account, faults } = await setup()
    const asked = vi.spyOn(localPayments, 'chargeAgain').mockRejectedValue(new Error('No answer.'))
    await account.setAutoReload(SETTINGS)
    expect(asked).toHaveBeenCalledOnce()
    expect((await account.close())?.account).toMatchObject({
      autoReload: null,
      lastReload: { outcome: 'given_up' },
    })
    await runDurableObjectAlarm(account)
    expect(asked).toHaveBeenCalledOnce()
    expect(faults()).toMatchObject([
      { kind: 'reload', outcome: 'unknown', account_id: id },
      { kind: 'reload', outcome: 'given_up', account_id: id },
    ])
  })

  it('that is being paid is waited for and booked', async () => {
    const { id, account, faults } = await setup()
    const held = heldUp()
    const asked = vi.spyOn(localPayments, 'chargeAgain').mockImplementation(async () => {
      await held.passes()
      return { kind: 'paid', reference: 'pi_1' } satisfies PaymentOutcome
    })
    const reloading = account.setAutoReload(SETTINGS)
    await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce())
    const closing = account.close()
    await vi.waitFor(async () =>
      expect(await account.summary()).toMatchObject({ closedAt: expect.any(Number) }),
    )
    held.letPass()
    expect(await closing).toMatchObject({
      account: { balance: 25 * DOLLAR, lastReload: { outcome: 'paid' } },
    })
    await reloading
    expect(faults()).toContainEqual({ kind: 'credited_after_closing', account_id: id })
  })

  it('does not fire, however low the balance', async () => {
    const { account } = await setup()
    const asked = vi.spyOn(localPayments, 'chargeAgain')
    await account.close()
    expect(await account.setAutoReload(SETTINGS)).toEqual({ kind: 'closed' })
    await account.credit('deduction:1', 'deduction', -5 * DOLLAR)
    await runDurableObjectAlarm(account)
    expect(asked).not.toHaveBeenCalled()
  })
})
