import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Gate } from '../access/gate.ts'
import { openAccount } from '../testing/accounts.ts'
import type { Account } from './account.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const RATES = { requestsPerSecond: 7, tokensPerMinute: null }

const setup = async () => {
  const { account, newKey } = await openAccount()
  const { keyId, gate } = await newKey()
  // What is left from making the key is done, so that an alarm from now on is for something new.
  await runDurableObjectAlarm(account)
  const standing = () => runInDurableObject(gate, (_, { storage }) => storage.kv.get('standing'))
  return { account, keyId, standing }
}

type Change = (account: DurableObjectStub<Account>, keyId: string) => Promise<unknown>

describe('news of a key', () => {
  it.each<[string, Change, object]>([
    ['that it is revoked', (account, keyId) => account.revokeKey(keyId), { revoked: true }],
    [
      'of its reserved rates',
      (account, keyId) => account.reserveRates(keyId, RATES),
      { limits: { requestsPerSecond: 7 } },
    ],
  ])('%s reaches its Gate though the account falls over on the way', async (_, change, told) => {
    const { account, keyId, standing } = await setup()
    const hanging = vi
      .spyOn(Gate.prototype, 'adopt')
      .mockImplementation(() => new Promise<void>(() => {}) as unknown as undefined)
    // Its answer never comes, as if the account had fallen over.
    void change(account, keyId).catch(() => {})
    await vi.waitFor(() => expect(hanging).toHaveBeenCalled())
    hanging.mockRestore()
    expect(await standing()).not.toMatchObject(told)
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await standing()).toMatchObject(told)
  })
})
