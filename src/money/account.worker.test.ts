import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Gate } from '../access/gate.ts'
import {
  gatesAway,
  giveUpWhatHangs,
  heldUpDirectory,
  KEY_ORDER,
  never,
  openAccount,
} from '../testing/accounts.ts'
import { stopTimers } from '../testing/clock.ts'
import { costOf } from '../testing/sql-cost.ts'
import type { Account } from './account.ts'
import type { AccountDetails } from './account-details.ts'
import { newAccountId } from './account-id.ts'
import { Allowances } from './allowances.ts'
import { Directory } from './directory.ts'
import { Keyring, MAX_LIVE_KEYS } from './keyring.ts'

afterEach(() => {
  vi.useRealTimers()
})

const USAGE = { requests: 1, inputTokens: 1, nanodollars: 1 }
const UNRESERVED = { requestsPerSecond: null, tokensPerMinute: null }

const entryOf = async (id: string) => {
  const before = `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}`
  const [next] = await env.DIRECTORY.getByName('accounts').list(before, 1)
  return next?.id === id ? next : null
}
const listed = async (id: string) => (await entryOf(id)) !== null

describe('an account', () => {
  it('that was never opened answers null', async () => {
    const account = env.ACCOUNT.getByName(newAccountId())
    expect(
      await Promise.all([
        account.summary(),
        account.rename('Grace'),
        account.close(),
        account.reopen(),
        account.verify(),
        account.credit('reference', 'top_up', 1),
        account.credits(1, null),
        account.charges(1, null),
        account.setAutoReload({ threshold: 1, amount: 1 }),
        account.createKey(KEY_ORDER),
        account.keys(1, null),
        account.key('key'),
        account.revokeKey('key'),
        account.reserveRates('key', UNRESERVED),
        account.handOver('key', 1, USAGE),
        account.standingOf('key'),
      ]),
    ).toEqual(Array(16).fill(null))
  })

  it('is unchanged when it is opened or verified again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { id, account } = await openAccount()
    const before = await account.summary()
    vi.setSystemTime(Date.now() + 60_000)
    await account.open(id, 'Another')
    expect(await account.verify()).toEqual(before)
  })

  it('whose opening could not be written counts as never opened', async () => {
    const id = newAccountId()
    const account = env.ACCOUNT.getByName(id)
    await runInDurableObject(account, async (opening: Account, { storage }) => {
      vi.spyOn(storage.kv, 'put').mockImplementationOnce(() => {
        throw new Error('The disk is full.')
      })
      await expect(opening.open(id, 'Ada')).rejects.toThrow('The disk is full.')
    })
    expect(await account.summary()).toBeNull()
    await account.open(id, 'Ada')
    expect(await account.summary()).toMatchObject({ id })
  })

  it('gets into the directory even if it crashes on the way there', async () => {
    const id = newAccountId()
    const account = env.ACCOUNT.getByName(id)
    const hanging = vi.spyOn(Directory.prototype, 'enter').mockImplementation(never)
    void account.open(id, 'Ada').catch(() => {})
    await vi.waitFor(() => expect(hanging).toHaveBeenCalled())
    hanging.mockRestore()
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await listed(id)).toBe(true)
  })

  it('gets into the directory in its next life if the alarm for that was given up', async () => {
    const id = newAccountId()
    const account = env.ACCOUNT.getByName(id)
    const failing = vi.spyOn(Directory.prototype, 'enter').mockImplementation(() => {
      throw new Error('The directory is away.')
    })
    await account.open(id, 'Ada')
    failing.mockRestore()
    await runInDurableObject(account, (_, { storage }) => storage.deleteAlarm())
    await evictDurableObject(account)
    await account.summary()
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await listed(id)).toBe(true)
  })

  it('follows up on what else is left undone although the directory hangs', async () => {
    const { account, newKey } = await openAccount()
    const { keyId, gate } = await newKey()
    const away = gatesAway()
    expect(await account.revokeKey(keyId)).toEqual({ kind: 'untold' })
    away.mockRestore()
    const hanging = vi.spyOn(Directory.prototype, 'enter').mockImplementation(never)
    stopTimers()
    const renamed = account.rename('Grace')
    await vi.waitFor(() => expect(hanging).toHaveBeenCalledTimes(1))
    const followedUp = runDurableObjectAlarm(account)
    await vi.waitFor(() => expect(hanging).toHaveBeenCalledTimes(2))
    await giveUpWhatHangs(account)
    expect(await renamed).toMatchObject({ name: 'Grace' })
    await followedUp
    hanging.mockRestore()
    expect(await gate.admit(1)).toEqual({ kind: 'invalid_api_key' })
  })

  it('makes no key while the directory hangs', async () => {
    const { account } = await openAccount()
    const hanging = vi.spyOn(Directory.prototype, 'enterKeys').mockImplementation(never)
    stopTimers()
    const made = account.createKey(KEY_ORDER)
    await vi.waitFor(() => expect(hanging).toHaveBeenCalledOnce())
    await giveUpWhatHangs(account)
    expect(await made).toEqual({ kind: 'withdrawn' })
    hanging.mockRestore()
    expect(await account.keys(1, null)).toEqual([])
  })

  it.each<[string, (account: DurableObjectStub<Account>) => Promise<unknown>, object]>([
    ['renamed', account => account.rename('Grace'), { name: 'Grace' }],
    ['closed', account => account.close(), { closedAt: expect.any(Number) }],
  ])('that is %s while it is entered gets into the directory as it is then', async (_, change, latest) => {
    const { id, account } = await openAccount()
    const overtaken = heldUpDirectory('enter')
    const first = account.rename('Ava')
    await vi.waitFor(() => expect(overtaken.called).toHaveBeenCalledOnce())
    await change(account)
    overtaken.letPass()
    expect(await first).toMatchObject(latest)
    expect(await entryOf(id)).toMatchObject(latest)
  })

  it('gets keys into the directory that it had before the directory listed keys', async () => {
    const { id, account, newKey } = await openAccount()
    const keyIds = [(await newKey()).keyId, (await newKey()).keyId]
    const directory = env.DIRECTORY.getByName('accounts')
    const owners = async () => [
      await directory.accountOf(keyIds[0] ?? ''),
      await directory.accountOf(keyIds[1] ?? ''),
    ]
    await runInDurableObject(directory, (_, { storage }) => {
      storage.sql.exec('DELETE FROM keys WHERE account_id = ?', id)
    })
    await runInDurableObject(account, async (_, { storage }) => {
      const { keysListed, ...details } = storage.kv.get<AccountDetails>('profile') ?? {}
      expect(keysListed).toBe(true)
      storage.kv.put('profile', details)
      await storage.deleteAlarm()
    })
    await evictDurableObject(account)
    expect(await owners()).toEqual([null, null])

    // The directory hears of this one when it is made.
    await newKey()
    expect(await runDurableObjectAlarm(account)).toBe(true)
    expect(await owners()).toEqual([id, id])
    await runInDurableObject(account, (_, { storage }) => {
      expect(storage.kv.get('profile')).toMatchObject({ keysListed: true })
    })
  })

  it('shares out a payment when a key asks, if sharing was cut short and its alarm given up', async () => {
    const { account, newKey } = await openAccount({ verified: false })
    const { keyId } = await newKey()
    const cutShort = vi.spyOn(Allowances.prototype, 'share').mockResolvedValue(undefined)
    await account.credit('payment', 'top_up', 1)
    cutShort.mockRestore()
    await runInDurableObject(account, (_, { storage }) => storage.deleteAlarm())
    expect(await account.standingOf(keyId)).toMatchObject({ funded: false })
    await vi.waitFor(async () => expect(await account.standingOf(keyId)).toMatchObject({ funded: true }))
  })

  it('charges the usage of a key that it does not know, each hand-over once', async () => {
    const { account } = await openAccount()
    const { balance = 0 } = (await account.summary()) ?? {}
    for (const sequence of [1, 1, 2, 1]) expect(await account.handOver('key', sequence, USAGE)).toBeNull()
    expect(await account.summary()).toMatchObject({ balance: balance - 2 * USAGE.nanodollars })
  })

  it('remembers when and why a key was first revoked', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { account, newKey } = await openAccount()
    const { keyId } = await newKey()
    await account.revokeKey(keyId)
    const revoked = await account.key(keyId)
    vi.setSystemTime(Date.now() + 60_000)
    await account.revokeKey(keyId, 'leaked')
    expect(await account.key(keyId)).toEqual(revoked)
  })

  it('gets a key although the Gate of another is away', async () => {
    const { account, newKey } = await openAccount()
    const { keyId } = await newKey()
    const { adopt } = Gate.prototype
    const adopting = vi.spyOn(Gate.prototype, 'adopt').mockImplementation(function (this: Gate, standing) {
      if (standing.keyId === keyId) throw new Error('The Gate is away.')
      return adopt.call(this, standing)
    })
    expect(await account.revokeKey(keyId)).toEqual({ kind: 'untold' })
    const { gate } = await newKey()
    adopting.mockRestore()
    expect(await gate.admit(1)).toMatchObject({ kind: 'admitted' })
  })

  it('has at most a hundred live keys', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { account, newKey } = await openAccount({ verified: false })
    const keys = [await newKey({ expiresAt: Date.now() + 60_000 })]
    while (keys.length < MAX_LIVE_KEYS) keys.push(await newKey())
    expect(await account.createKey(KEY_ORDER)).toEqual({ kind: 'too_many_keys' })
    await account.revokeKey(keys[1]?.keyId ?? '')
    expect(await account.createKey(KEY_ORDER)).toMatchObject({ kind: 'created' })
    expect(await account.createKey(KEY_ORDER)).toEqual({ kind: 'too_many_keys' })
    vi.setSystemTime(Date.now() + 60_000)
    const { keyId: newest } = await newKey()
    expect((await account.keys(1, null))?.[0]).toMatchObject({ id: newest })
  })

  it('reads of the thousands of keys that no longer work only those it lists, also if an earlier version opened it', async () => {
    const { id, account, newKey } = await openAccount()
    const { keyId } = await newKey()
    await runInDurableObject(account, (_, { storage: { sql } }) => {
      sql.exec('DROP INDEX keys_created; DROP INDEX keys_live; DROP INDEX keys_revoked_untold')
      for (const ended of ['NULL, 1', '1, NULL']) {
        sql.exec(`
          WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
          INSERT INTO keys SELECT hex(randomblob(8)), hex(randomblob(8)), kind, name, hint, created_at, ${ended},
            NULL, NULL, NULL, allowance, funded, version, version FROM keys, numbers WHERE id = '${keyId}'`)
      }
    })
    await evictDurableObject(account)
    await runInDurableObject(account, (live, { storage: { sql } }) => {
      expect(costOf(sql, () => live.handOver(keyId, 1, USAGE))[0]).toBeLessThan(30)
      expect(costOf(sql, () => live.summary())[0]).toBeLessThan(10)
      expect(costOf(sql, () => live.keys(10, null))[0]).toBeLessThan(30)
      expect(costOf(sql, () => new Keyring(sql).untold(id))[0]).toBeLessThan(5)
    })
  })

  it('reads its entries once, however many come and however often it is read, also if an earlier version opened it', async () => {
    const { account } = await openAccount()
    await runInDurableObject(account, (_, { storage: { sql } }) => {
      const many =
        'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)'
      sql.exec(`
        DROP INDEX credits_at;
        ${many} INSERT INTO credits SELECT hex(randomblob(8)), 'top_up', 5, n FROM numbers;
        ${many} INSERT INTO charges SELECT '2026-11-21', hex(randomblob(8)), 1, 1, 3 FROM numbers;
        UPDATE balance SET nanodollars = nanodollars + 4000`)
    })
    await evictDurableObject(account)
    await runInDurableObject(account, async (live: Account, { storage: { sql } }) => {
      const { credits = 0, charges = 0 } = live.summary() ?? {}
      live.handOver('key', 1, USAGE)
      await live.credit('payment', 'top_up', 7)
      expect(costOf(sql, () => live.summary())[0]).toBeLessThan(10)
      expect(costOf(sql, () => live.credits(20, null))[0]).toBeLessThan(25)
      const changed = { credits: credits + 7, charges: charges + USAGE.nanodollars }
      expect(live.summary()).toMatchObject({ ...changed, balance: changed.credits - changed.charges })
    })
    const kept = await account.summary()
    await evictDurableObject(account)
    expect(await account.summary()).toEqual(kept)
  })
})
