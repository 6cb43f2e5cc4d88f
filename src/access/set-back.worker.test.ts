import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { balanceOf, openAccount, spend, standingIn } from '../testing/accounts.ts'
import { useStoppedClock } from '../testing/clock.ts'

useStoppedClock()

const setup = async ({ verified = true } = {}) => {
  const { account, newKey } = await openAccount({ verified })
  const { keyId, gate } = await newKey()
  const setBack = (query: string) =>
    runInDurableObject(account, (_, { storage }) => void storage.sql.exec(query))
  return { account, keyId, gate, setBack }
}

describe('a key of an account that is restored to an earlier point in time', () => {
  it('that was revoked after that point stays revoked', async () => {
    const { account, keyId, gate, setBack } = await setup()
    await account.revokeKey(keyId, 'leaked')
    await setBack('UPDATE keys SET revoked_at = NULL, revoked_because = NULL, told_version = 0')
    vi.setSystemTime(Date.now() + 1_000)
    await account.credit('r1', 'top_up', 1_000_000_000)
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
    await evictDurableObject(gate)
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
  })

  it('hears of what is changed afterwards', async () => {
    const { account, keyId, gate, setBack } = await setup()
    const setBackBySeconds = async () => {
      await setBack('UPDATE keys SET version = 1, told_version = 1')
      vi.setSystemTime(Date.now() + 1_000)
    }
    await setBackBySeconds()
    await account.reserveRates(keyId, { requestsPerSecond: 7, tokensPerMinute: null })
    expect(await gate.identify()).toMatchObject({ rates: { limitRequests: 7 } })
    await setBackBySeconds()
    await account.credit('r1', 'top_up', 1_000_000_000)
    expect(await standingIn(gate)).toMatchObject({ allowance: 6_000_000_000 })
    await setBackBySeconds()
    await account.revokeKey(keyId)
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
  })

  it('that was made after that point is charged for what it used, and is invalid from then on', async () => {
    const { account, gate, setBack } = await setup()
    await setBack('DELETE FROM keys')
    expect(await spend(gate, 100_000)).toBe('admitted')
    await gate.handOverNow()
    expect(await balanceOf(account)).toBe(5_000_000_000 - 100_000)
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
    // Nothing is left to hand over.
    const meter = await runInDurableObject(gate, (_, { storage }) => storage.kv.get('meter'))
    expect(meter).toMatchObject({ sealed: null, open: { requests: 0 } })
  })

  it('that was made after that point and has no credit does not ask for ever', async () => {
    const { gate, setBack } = await setup({ verified: false })
    await setBack('DELETE FROM keys')
    expect(await spend(gate, 1)).toBe('insufficient_credits')
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('invalid_api_key'))
  })

  it('that has run out of credit since then works again, as its account has credit again', async () => {
    const { account, keyId, gate, setBack } = await setup()
    await setBack('CREATE TABLE keys_then AS SELECT * FROM keys')
    vi.setSystemTime(Date.now() + 1_000)
    expect(await spend(gate, 5_000_000_000)).toBe('admitted')
    await gate.handOverNow()
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('insufficient_credits'))
    await setBack('UPDATE balance SET nanodollars = 5000000000')
    await setBack('DELETE FROM keys')
    await setBack('INSERT INTO keys SELECT * FROM keys_then')
    expect(await account.standingOf(keyId)).toMatchObject({ funded: true })
    vi.setSystemTime(Date.now() + 10_000)
    expect(await spend(gate, 1)).toBe('insufficient_credits')
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('admitted'))
  })

  it('that has run out of credit again, because its payment is forgotten, stops within seconds', async () => {
    const { account, gate, setBack } = await setup({ verified: false })
    await account.credit('payment', 'top_up', 5_000_000_000)
    await setBack(`
      DELETE FROM credits; UPDATE balance SET nanodollars = 0;
      UPDATE keys SET allowance = 0, funded = 0, version = 1, told_version = 1
    `)
    await evictDurableObject(account)
    vi.setSystemTime(Date.now() + 1_000)
    expect(await spend(gate, 100_000)).toBe('admitted')
    await gate.handOverNow()
    await vi.waitFor(async () => expect(await spend(gate, 100_000)).toBe('insufficient_credits'))
  })
})
