import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { openAccount } from '../testing/accounts.ts'
import { useStoppedClock } from '../testing/clock.ts'
import { type Gatekeeper, NOTHING_SPENT } from './admission.ts'
import { Gate } from './gate.ts'
import { gatekeeper } from './gatekeeper.ts'

const STARTER = 5_000_000_000
const SPENT = { inputTokens: 40, costNanodollars: 4_000 }

useStoppedClock()

const setup = async () => {
  const { account, newKey } = await openAccount()
  const { keyId, hash, gate } = await newKey({ kind: 'playground' })
  const lost: number[] = []
  const keeper = gatekeeper({
    gates: env.GATE,
    reportLost: requests => lost.push(requests),
    reportOverloaded: () => undefined,
  })
  const admit = async (tokens = 100) => {
    const admission = await keeper.admit(hash, tokens)
    if (admission.kind !== 'admitted') throw new Error(admission.kind)
    return admission
  }
  const charged = async () => {
    await gate.handOverNow()
    return STARTER - ((await account.summary())?.balance ?? Number.NaN)
  }
  return { account, keeper, gate, hash, keyId, lost, admit, charged }
}

/** A keeper whose Gate fails with these signs of the platform, whatever it is asked. */
const unreachable = (signs: object) => {
  const asked = vi.fn(async () => {
    throw Object.assign(new Error('The Gate cannot be reached.'), signs)
  })
  const [reportLost, reportOverloaded] = [vi.fn(), vi.fn()]
  const gates = { getByName: () => ({ admit: asked, identify: asked }) } as never
  return { asked, reportLost, reportOverloaded, keeper: gatekeeper({ gates, reportLost, reportOverloaded }) }
}

describe('a settlement', () => {
  it('reports at once the rates that the Gate will arrive at', async () => {
    const { admit, gate } = await setup()
    const admission = await admit(5_000)
    expect(admission.rates.remainingTokens).toBe(19_995_000)
    const { rates, delivered } = await admission.settle(SPENT)
    expect(rates).toMatchObject({ remainingRequests: 9, remainingTokens: 19_999_960 })
    await delivered
    expect(await gate.identify()).toMatchObject({ rates: { remainingTokens: 19_999_960 } })
  })

  it('reports what was refilled since the admission', async () => {
    const { admit } = await setup()
    await admit()
    const admission = await admit()
    vi.setSystemTime(Date.now() + 200)
    expect(admission.rates).toMatchObject({ remainingRequests: 8 })
    const { rates, delivered } = await admission.settle(SPENT)
    expect(rates).toMatchObject({ remainingRequests: 9 })
    await delivered
  })

  it('reaches the Gate on its own after a tenth of a second', async () => {
    const { admit, charged } = await setup()
    const admission = await admit()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { delivered } = await admission.settle(SPENT)
    vi.advanceTimersByTime(100)
    await delivered
    expect(await charged()).toBe(4_000)
  })

  it('travels with the next admission, and is not sent again', async () => {
    const { admit, charged } = await setup()
    const calls = vi.spyOn(Gate.prototype, 'settle')
    const { delivered } = await (await admit(5_000)).settle(SPENT)
    const next = await admit(0)
    expect(next.rates.remainingTokens).toBe(19_999_960)
    expect(await charged()).toBe(4_000)
    await delivered
    await (await next.settle(NOTHING_SPENT)).delivered
    expect(calls).toHaveBeenCalledOnce()
    expect(await charged()).toBe(4_000)
  })

  it('travels with other settlements of its key', async () => {
    const { admit, charged } = await setup()
    const calls = vi.spyOn(Gate.prototype, 'settle')
    const admissions = await Promise.all([admit(), admit(), admit()])
    await Promise.all(admissions.map(async each => (await each.settle(SPENT)).delivered))
    expect(calls).toHaveBeenCalledOnce()
    expect(await charged()).toBe(12_000)
  })

  it('that is lost is reported, and costs the caller neither money nor the answer', async () => {
    const { admit, charged, lost } = await setup()
    vi.spyOn(Gate.prototype, 'settle').mockImplementation(() => {
      throw new Error('The Gate fell over.')
    })
    const { delivered } = await (await admit()).settle(SPENT)
    await delivered
    expect(lost).toEqual([1])
    expect(await charged()).toBe(0)
  })

  it('that is lost along with an admission is reported too', async () => {
    const { admit, charged, lost } = await setup()
    const { delivered } = await (await admit()).settle(SPENT)
    vi.spyOn(Gate.prototype, 'admit').mockImplementationOnce(() => {
      throw new Error('The Gate fell over.')
    })
    await expect(admit()).rejects.toThrow()
    await delivered
    expect(lost).toEqual([1])
    expect(await charged()).toBe(0)
  })
})

describe('an admission', () => {
  it('is refused from the moment the key is revoked', async () => {
    const { account, admit, keeper, hash, keyId } = await setup()
    await (await admit()).settle(SPENT)
    await account.revokeKey(keyId)
    expect(await keeper.admit(hash, 1)).toEqual({ kind: 'invalid_api_key' })
  })

  it('is asked for again if the Gate restarts in the middle of it, and nothing is charged twice', async () => {
    const { admit, charged, lost } = await setup()
    const first = await (await admit()).settle(SPENT)
    vi.spyOn(Gate.prototype, 'admit').mockImplementationOnce(function (this: Gate) {
      const { ctx } = this as unknown as { ctx: DurableObjectState }
      return ctx.abort('The Gate is started anew.') as never
    })
    await (await admit()).settle(SPENT).then(({ delivered }) => delivered)
    await first.delivered
    expect(lost).toEqual([1])
    expect(await charged()).toBe(4_000)
  })
})

/** What a Gate is asked. */
const QUESTIONS: [string, (keeper: Gatekeeper) => Promise<{ kind: string }>][] = [
  ['an admission', keeper => keeper.admit('hash', 1)],
  ['whose key it is', keeper => keeper.identify('hash')],
]

describe.each(QUESTIONS)('a Gate asked for %s', (_, ask) => {
  it.each<[object, number]>([
    [{ durableObjectReset: true }, 2],
    [{ retryable: true }, 2],
    [{}, 1],
  ])('that fails with %j is asked this many times: %i', async (signs, times) => {
    const { asked, keeper, reportLost, reportOverloaded } = unreachable(signs)
    await expect(ask(keeper)).rejects.toThrow('cannot be reached')
    expect(asked).toHaveBeenCalledTimes(times)
    expect(reportLost).not.toHaveBeenCalled()
    expect(reportOverloaded).not.toHaveBeenCalled()
  })

  it('that has more to do than it can refuses, is reported and is not asked again', async () => {
    const { asked, keeper, reportOverloaded } = unreachable({ retryable: true, overloaded: true })
    expect(await ask(keeper)).toEqual({ kind: 'overloaded' })
    expect(asked).toHaveBeenCalledOnce()
    expect(reportOverloaded).toHaveBeenCalledOnce()
  })
})
