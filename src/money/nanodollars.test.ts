import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDollars, MAX_BALANCE, parseDollars } from './nanodollars.ts'

describe('an amount of dollars', () => {
  it.each([
    ['5', 5_000_000_000],
    ['5.00', 5_000_000_000],
    ['0.01', 10_000_000],
    ['1000000', 1_000_000_000_000_000],
  ])('%s is read exactly', (text, nanodollars) => {
    expect(parseDollars(text)).toBe(nanodollars)
  })

  it.each([
    '',
    '0',
    '0.00',
    '-1',
    '+1',
    '1.5',
    '1.005',
    '1e3',
    '01',
    '050',
    '00.50',
    ' 1',
    '1\n',
    '1000000.01',
    '99999999',
    'five',
  ])('%j is refused', text => {
    expect(parseDollars(text)).toBeNull()
  })

  it('is written with every significant digit', () => {
    expect(formatDollars(5_000_000_000)).toBe('5.00')
    expect(formatDollars(4_999_999_900)).toBe('4.9999999')
    expect(formatDollars(-20)).toBe('-0.00000002')
    expect(formatDollars(0)).toBe('0.00')
  })

  it('is written so that it can be added up again', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_BALANCE, max: MAX_BALANCE }), nanodollars => {
        const [whole = '', fraction = ''] = formatDollars(nanodollars).replace('-', '').split('.')
        const back = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
        expect(back).toBe(BigInt(Math.abs(nanodollars)))
      }),
    )
  })
})
