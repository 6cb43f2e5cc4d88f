import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { balanceOf, gatesAway, openAccount, spend, standingIn } from '../testing/accounts.ts'
import { useStoppedClock } from '../testing/clock.ts'
import type { Meter } from './meter.ts'

useStoppedClock()

const setup = async ({ verified = true } = {}) => {
  const { account, newKey } = await openAccount({ verified })
  const newGate = async () => (await newKey()).gate
  return { account, newGate, gate: await newGate() }
}

describe('a balance that runs out', () => {
  it('stops the key within seconds, and a top-up starts it again', async () => {
    const { account, gate } = await setup()
    await runDurableObjectAlarm(account)
    expect(await spend(gate, 5_000_000_000)).toBe('admitted')
    await runDurableObjectAlarm(gate)
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('insufficient_credits'))
    await account.credit('r1', 'top_up', 1_000_000_000)
    expect(await spend(gate, 1)).toBe('admitted')
  })

  it('stops the other keys of the account too', async () => {
    const { gate, newGate } = await setup()
    const other = await newGate()
    expect(await spend(other, 1)).toBe('admitted')
    expect(await spend(gate, 6_000_000_000)).toBe('admitted')
    await gate.handOverNow()
    await vi.waitFor(async () => expect(await spend(other, 1)).toBe('insufficient_credits'))
  })

  it('is noticed even if no key has spent it alone', async () => {
    const { account, gate, newGate } = await setup()
    const gates = [gate, await newGate(), await newGate()]
    await account.credit('shares it out', 'top_up', 1_000_000_000)
    // Six dollars among three keys: 2.00 each. Two keys stay just below; the third goes over.
    for (const each of gates) expect(await spend(each, 1_999_000_000)).toBe('admitted')
    expect(await balanceOf(account)).toBe(6_000_000_000)
    expect(await spend(gate, 2_000_000)).toBe('admitted')
    await runDurableObjectAlarm(gate)
    await vi.waitFor(async () => expect(await balanceOf(account)).toBe(1_000_000))
    const [first] = gates
    if (first) await spend(first, 1_000_000)
    await runDurableObjectAlarm(gate)
    await vi.waitFor(async () => {
      for (const each of gates) expect(await spend(each, 1)).toBe('insufficient_credits')
    })
  })

  it('stops the key until a top-up, in real time as well', async () => {
    vi.useRealTimers()
    const { account, gate } = await setup()
    expect(await spend(gate, 5_000_000_000)).toBe('admitted')
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('insufficient_credits'), {
      timeout: 30_000,
      interval: 200,
    })
    await account.credit('r1', 'top_up', 1_000_000_000)
    expect(await spend(gate, 1)).toBe('admitted')
  }, 40_000)

  it('reaches all keys even if the account crashes before it can tell them', async () => {
    const { account, gate, newGate } = await setup()
    const other = await newGate()
    expect(await spend(gate, 6_000_000_000)).toBe('admitted')
    const failing = gatesAway()
    await gate.handOverNow()
    await evictDurableObject(account)
    failing.mockRestore()
    expect(await spend(other, 1)).toBe('admitted')
    await runDurableObjectAlarm(account)
    expect(await spend(other, 1)).toBe('insufficient_credits')
    // Nothing is left to do, so no alarm is set.
    expect(await runDurableObjectAlarm(account)).toBe(false)
  })

  it('reaches the key even if the account got no further than charging the first time', async () => {
    const { account, gate } = await setup()
    expect(await spend(gate, 5_000_000_000)).toBe('admitted')
    const execute = (query: string) =>
      runInDurableObject(account, (_, { storage: { sql } }) => void sql.exec(query))
    await execute(
      "CREATE TRIGGER stuck BEFORE UPDATE OF allowance ON keys BEGIN SELECT raise(ABORT, 'stuck'); END",
    )
    await gate.handOverNow()
    await execute('DROP TRIGGER stuck')
    expect(await balanceOf(account)).toBe(0)
    await gate.handOverNow()
    expect(await spend(gate, 1)).toBe('insufficient_credits')
  })

  it('reaches the key even if the Gate cannot record that it has handed over', async () => {
    const { gate } = await setup()
    expect(await spend(gate, 5_000_000_000)).toBe('admitted')
    const put = await runInDurableObject(gate, (_, { storage }) => {
      const write = storage.kv.put.bind(storage.kv)
      return vi.spyOn(storage.kv, 'put').mockImplementation((key, value) => {
        if (key === 'meter' && (value as Meter).sealed === null) throw new Error('The disk is full.')
        write(key, value)
      })
    })
    await gate.handOverNow()
    put.mockRestore()
    expect(await spend(gate, 1)).toBe('insufficient_credits')
  })

  it('does not keep a key stopped if the account has money but never shared it out', async () => {
    const { account, gate } = await setup({ verified: false })
    await runDurableObjectAlarm(account)
    await runInDurableObject(account, (_, { storage: { sql } }) => {
      sql.exec('UPDATE balance SET nanodollars = 1000')
    })
    expect(await spend(gate, 1)).toBe('insufficient_credits')
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('admitted'))
  })

  it('is asked about again if the news of a top-up was lost', async () => {
    const { account, gate } = await setup({ verified: false })
    expect(await spend(gate, 1)).toBe('insufficient_credits')
    // As if the account's call had never arrived: the account believes the Gate was told.
    const before = await standingIn(gate)
    await account.verify()
    await runInDurableObject(gate, (_, state) => state.storage.kv.put('standing', before))
    await evictDurableObject(gate)
    expect(await spend(gate, 1)).toBe('insufficient_credits')
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('admitted'))
  })

  it('is asked about again although the clock was ahead when it was asked about last', async () => {
    const { account, gate } = await setup({ verified: false })
    const now = Date.now()
    vi.setSystemTime(now + 3_600_000)
    expect(await spend(gate, 1)).toBe('insufficient_credits')
    await scheduler.wait(50)
    vi.setSystemTime(now)
    await runInDurableObject(account, (_, { storage: { sql } }) => {
      sql.exec('UPDATE balance SET nanodollars = 1000')
    })
    expect(await spend(gate, 1)).toBe('insufficient_credits')
    await vi.waitFor(async () => expect(await spend(gate, 1)).toBe('admitted'))
  })
})
