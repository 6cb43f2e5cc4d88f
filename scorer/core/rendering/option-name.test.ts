import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu-time.ts'
import { optionName } from './option-name.ts'

const nameOf = (key: string, ...words: string[]) => optionName(key, word => words.includes(word))

describe('the name of an option', () => {
  it.each([
    ['RefundRequest', 'Refund_Request'],
    ['refundRequest', 'refund_Request'],
    ['SheWantsAToy', 'She_Wants_A_Toy'],
    ['HTTPServerError', 'HTTP_Server_Error'],
    ['Tier2Support', 'Tier2_Support'],
    ['parseURLs', 'parse_URLs'],
    ['alarm.SetNew/FromNow', 'alarm.Set_New/From_Now'],
  ])('is parted at capitals: %s is read as %s', (key, name) => {
    expect(nameOf(key)).toBe(name)
  })

  it.each(['refund_request', 'Refund request', 'REFUND', 'IDs', 'x', '', 'größeÄnderung'])(
    'stays as it is without such a seam: %s',
    key => {
      expect(nameOf(key)).toBe(key)
    },
  )

  it('stays whole where the vocabulary knows it as a word', () => {
    expect(nameOf('YouTube', 'YouTube')).toBe('YouTube')
    expect(nameOf('YouTube or TikTok', 'YouTube')).toBe('YouTube or Tik_Tok')
    expect(nameOf('YouTube_or_TikTok', 'YouTube')).toBe('YouTube_or_Tik_Tok')
  })

  it('takes no longer than its length for a key of a megabyte', () => {
    const keys = ['aB'.repeat(500_000), 'A'.repeat(1_000_000), 'a'.repeat(1_000_000)]
    expect(cpuMs(() => keys.map(key => nameOf(key)))).toBeLessThan(5_000)
  })
})
