import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costNanodollars, type Scored, usageOf } from './usage.ts'

const pass = (questionTokens: number, framingTokens: number) => ({
  logits: [0, 0],
  questionTokens,
  framingTokens,
})
const unit = (cached: boolean, ...questions: Scored['questions']): Scored => ({
  kind: 'scored',
  stateTokens: 1_000,
  stateFramingTokens: 4,
  cached,
  questions,
})

describe('usageOf', () => {
  it('counts the state once and every question', () => {
    const usage = usageOf([
      unit(false, { ...pass(20, 7), reversed: null }, { ...pass(30, 9), reversed: null }),
    ])
    expect(usage).toEqual({
      input_tokens: 1_070,
      state_tokens: 1_000,
      question_tokens: 50,
      framing_tokens: 20,
      image_tokens: 0,
      cached_tokens: 0,
      output_tokens: 0,
      cost_usd: 0.000107,
    })
  })

  it('counts a reversed pass again, but not the state', () => {
    const usage = usageOf([unit(false, { ...pass(20, 7), reversed: pass(20, 7) })])
    expect(usage).toMatchObject({
      state_tokens: 1_000,
      question_tokens: 40,
      framing_tokens: 18,
      input_tokens: 1_058,
    })
  })

  it('counts a cached state as cached, at its price', () => {
    const usage = usageOf([unit(true, { ...pass(20, 7), reversed: null })])
    expect(usage).toMatchObject({ cached_tokens: 1_000, input_tokens: 1_031, cost_usd: 0.0000231 })
  })

  it('adds up many states', () => {
    const question = { ...pass(20, 7), reversed: null }
    expect(usageOf([unit(true, question), unit(false, question)])).toMatchObject({
      input_tokens: 2_062,
      cached_tokens: 1_000,
      cost_usd: 0.0001262,
    })
  })
})

describe('costNanodollars', () => {
  it('is the price of the specification, in whole nanodollars', () => {
    fc.assert(
      fc.property(fc.nat(20_000_000), fc.nat(20_000_000), (fresh, cached) => {
        const perMillion = BigInt(fresh) * 100_000_000n + BigInt(cached) * 20_000_000n
        const roundedHalfUp = (perMillion + 500_000n) / 1_000_000n
        expect(costNanodollars(fresh + cached, cached)).toBe(Number(roundedHalfUp))
      }),
    )
  })
})
