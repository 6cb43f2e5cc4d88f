import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { openAccount } from '../testing/accounts.ts'
import { useStoppedClock } from '../testing/clock.ts'
import { NOTHING_SPENT, type Rates } from './admission.ts'
import { Gate } from './gate.ts'
import { gatekeeper } from './gatekeeper.ts'
import type { Corrected, Limiter, Unknown, Verdict } from './limiter.ts'
import { sharedGatekeeper } from './shared-gatekeeper.ts'

const RATES: Rates = {
  limitRequests: 5,
  remainingRequests: 3,
  resetRequestsSeconds: 2,
  limitTokens: 20_000_000,
  remainingTokens: 700,
  resetTokensSeconds: 20,
}
const TAKEN = { tokens: 100, windowEndsAt: 1 }
const ALLOWED: Verdict = { kind: 'allowed', rates: RATES, taken: TAKEN }

const FULLER: Rates = { ...RATES, remainingRequests: 10, remainingTokens: 20_000_000 }

useStoppedClock()

const setup = async ({
  verdict = ALLOWED,
  correction = { kind: 'corrected', rates: RATES },
  takesMs = 0,
  correctingMs = 0,
}: {
  verdict?: Verdict | Unknown
  correction?: Corrected | Unknown
  takesMs?: number
  correctingMs?: number
} = {}) => {
  const { id: accountId, account, newKey } = await openAccount()
  const { keyId, hash } = await newKey({ kind: 'playground' })
  const asked: unknown[] = []
  const corrected: unknown[] = []
  const reported: string[] = []
  const shared: Limiter = (...key) => ({
    take: async (...question) => {
      asked.push([...key, ...question])
      vi.setSystemTime(Date.now() + takesMs)
      return verdict
    },
    correct: async (...question) => {
      await scheduler.wait(correctingMs)
      corrected.push([...key, ...question])
      return correction
    },
  })
  const keeper = sharedGatekeeper({
    own: gatekeeper({ gates: env.GATE, reportLost: () => {}, reportOverloaded: () => {} }),
    shared,
    report: why => reported.push(why),
  })
  const admit = async (tokens: number) => {
    const admission = await keeper.admit(hash, tokens)
    if (admission.kind !== 'admitted') throw new Error(admission.kind)
    return admission
  }
  return { account, keeper, admit, hash, asked, corrected, reported, keyId, accountId }
}

describe('a shared limiter next to the Gate', () => {
  it('is asked with the limits of the key, and the stricter figures are reported', async () => {
    const { admit, hash, asked } = await setup()
    expect((await admit(100)).rates).toEqual(RATES)
    expect(asked).toEqual([
      [hash, { requestsPerSecond: 5, burst: 10, tokensPerMinute: 20_000_000 }, 100, 250],
    ])
    const other = await setup({
      verdict: { ...ALLOWED, rates: FULLER },
      correction: { kind: 'corrected', rates: FULLER },
    })
    const admission = await other.admit(100)
    const own = { remainingRequests: 9, remainingTokens: 19_999_900, resetTokensSeconds: 60 }
    expect(admission.rates).toMatchObject(own)
    const { rates } = await admission.settle({ inputTokens: 40, costNanodollars: 4_000 })
    expect(rates).toMatchObject({ ...own, remainingTokens: 19_999_960 })
  })

  it.each([
    [0, 250],
    [100, 150],
    [300, 1],
    // The clock was set back.
    [-3_600_000, 250],
  ])(
    'that took %i ms is told the actual usage within what is left of its time: %i',
    async (tookMs, leftMs) => {
      const { account, admit, hash, corrected } = await setup({ takesMs: tookMs })
      const admission = await admit(100)
      const spent = { inputTokens: 40, costNanodollars: 4_000 }
      const { rates, delivered } = await admission.settle(spent)
      expect(rates).toEqual(RATES)
      await delivered
      expect(corrected).toEqual([[hash, expect.anything(), TAKEN, 40, leftMs]])
      await env.GATE.getByName(hash).handOverNow()
      expect((await account.summary())?.charges).toBe(4_000)
    },
  )

  it('that refuses is obeyed, and the Gate counts nothing', async () => {
    const { keeper, hash, keyId, accountId } = await setup({
      verdict: { kind: 'token_rate_limited', rates: RATES, retryAfterSeconds: 9 },
    })
    for (let i = 0; i < 15; i++) {
      expect(await keeper.admit(hash, 100)).toMatchObject({
        kind: 'token_rate_limited',
        keyId,
        accountId,
        retryAfterSeconds: 9,
      })
    }
    expect(await env.GATE.getByName(hash).admit(0)).toMatchObject({
      rates: { remainingRequests: 9, remainingTokens: 20_000_000 },
    })
  })

  it('that refuses leaves the rates showing what the Gate got back', async () => {
    const { keeper, hash } = await setup({
      verdict: { kind: 'token_rate_limited', rates: FULLER, retryAfterSeconds: 9 },
    })
    expect(await keeper.admit(hash, 100)).toMatchObject({
      kind: 'token_rate_limited',
      rates: { remainingRequests: 10, remainingTokens: 20_000_000 },
    })
    // Here the Gate alone has counted a request.
    await env.GATE.getByName(hash).admit(500)
    expect(await keeper.admit(hash, 100)).toMatchObject({
      rates: { remainingRequests: 9, remainingTokens: 19_999_500 },
    })
  })

  it('that refuses is obeyed even if the Gate cannot be told', async () => {
    const { keeper, hash } = await setup({
      verdict: { kind: 'rate_limited', rates: RATES, retryAfterSeconds: 1 },
    })
    vi.spyOn(Gate.prototype, 'cancel').mockImplementation(() => {
      throw new Error('The Gate fell over.')
    })
    expect(await keeper.admit(hash, 100)).toMatchObject({ kind: 'rate_limited' })
  })

  it('that cannot be asked leaves the Gate to decide alone, and is reported', async () => {
    const { keeper, admit, hash, corrected, reported } = await setup({
      verdict: { kind: 'unknown', why: 'error' },
    })
    const { rates, delivered } = await (await admit(100)).settle(NOTHING_SPENT)
    expect(rates).toMatchObject({ remainingTokens: 20_000_000 })
    await delivered
    expect(corrected).toEqual([])
    expect(reported).toEqual(['error'])
    for (let i = 0; i < 9; i++) await admit(1)
    expect(await keeper.admit(hash, 1)).toMatchObject({ kind: 'rate_limited' })
  })

  it('that answers too late but may have counted gets unused tokens back, after the response', async () => {
    const { admit, hash, corrected, reported } = await setup({
      verdict: { kind: 'unknown', why: 'timeout' },
      // Longer than the Gate takes to hear of it.
      correctingMs: 200,
    })
    const admission = await admit(30_000_000)
    const { rates, delivered } = await admission.settle({ inputTokens: 40, costNanodollars: 4_000 })
    expect(rates).toMatchObject({ remainingTokens: 19_999_960 })
    expect(reported).toEqual(['timeout'])
    expect(corrected).toEqual([])
    await delivered
    const taken = { tokens: 20_000_000, windowEndsAt: Date.now() + 60_000 }
    expect(corrected).toEqual([[hash, expect.anything(), taken, 40, 250]])
  })

  it('that cannot be told the usage is reported, and the Gate’s figures are given', async () => {
    const { admit, reported } = await setup({
      verdict: { ...ALLOWED, rates: { ...RATES, remainingTokens: 20_000_000 } },
      correction: { kind: 'unknown', why: 'error' },
    })
    const { rates } = await (await admit(100)).settle(NOTHING_SPENT)
    expect(rates).toMatchObject({ remainingTokens: 20_000_000 })
    expect(reported).toEqual(['error'])
  })

  it('is not asked about a revoked key', async () => {
    const { account, keeper, hash, asked, keyId } = await setup()
    await account.revokeKey(keyId)
    expect(await keeper.admit(hash, 1)).toEqual({ kind: 'invalid_api_key' })
    expect(asked).toEqual([])
  })
})
