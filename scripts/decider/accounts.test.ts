import { describe, expect, it } from 'vitest'
import { decider, serviceAnswering } from './testing.ts'

describe('a new account', () => {
  it.each([
    [[], '{}'],
    [['--name', 'Ada & Co'], '{"name":"Ada & Co"}'],
  ])('has the name it is given, if any: %j', async (options, body) => {
    const { env, asked } = await serviceAnswering(200, { id: 'acct_1' })
    await decider(['accounts', 'create', ...options], { env })
    expect(asked).toMatchObject([{ line: 'POST /admin/v1/accounts', body }])
  })
})

describe('a new name', () => {
  it('is sent as it was given', async () => {
    const { env, asked } = await serviceAnswering(200, { id: 'acct_1', name: 'Ada & Co' })
    const { out } = await decider(['accounts', 'rename', 'acct_1', 'Ada & Co'], { env })
    expect(out).toMatch(/^name +Ada & Co$/m)
    expect(asked).toMatchObject([{ line: 'PUT /admin/v1/accounts/acct_1/name', body: '{"name":"Ada & Co"}' }])
  })
})

describe('closing an account', () => {
  it.each([
    [
      4_999_999_000,
      '4.999999',
      '\\$4.999999',
      '$4.999999 is left in the account. Usage of the last two minutes',
    ],
    [-2_500_000_000, '-2.50', '-\\$2.50', 'The account owes $2.50. Usage of the last two minutes'],
    [0, '0.00', '\\$0.00', ''],
  ])('says what is left in it: %d', async (balance_nanodollars, balance_usd, shown, says) => {
    const account = { id: 'acct_1', closed_at: '2026-11-28T00:00:00.000Z', balance_nanodollars, balance_usd }
    const { env, asked } = await serviceAnswering(200, account)
    const { code, out, err } = await decider(['accounts', 'close', 'acct_1'], { env })
    expect(code).toBe(0)
    expect(out).toMatch(/^closed +2026-11-28T00:00:00.000Z$/m)
    expect(out).toMatch(new RegExp(`^balance +${shown}$`, 'm'))
    if (says === '') expect(err).toBe('')
    else expect(err).toContain(says)
    expect(asked[0]?.line).toBe('POST /admin/v1/accounts/acct_1/close')
  })

  it('is undone by reopening it', async () => {
    const { env, asked } = await serviceAnswering(200, { id: 'acct_1', closed_at: null })
    expect((await decider(['accounts', 'reopen', 'acct_1'], { env })).out).toMatch(/^closed +–$/m)
    expect(asked[0]?.line).toBe('POST /admin/v1/accounts/acct_1/reopen')
  })
})

describe('a booking', () => {
  it.each([
    ['top-up', 'credited'],
    ['deduct', 'deducted'],
  ])('whose reference was used before says that it changed nothing: %s', async (command, done) => {
    const args = ['accounts', command, 'acct_1', '7.00', '--reference', 'invoice 1']
    const first = await serviceAnswering(200, { id: 'acct_1', [done]: true })
    expect((await decider(args, first)).err).toBe('')
    expect(first.asked).toMatchObject([
      {
        line: `POST /admin/v1/accounts/acct_1/${command}`,
        body: '{"amount_usd":"7.00","reference":"invoice 1"}',
      },
    ])
    const again = await serviceAnswering(200, { id: 'acct_1', [done]: false })
    expect((await decider(args, again)).err).toBe('Nothing changed: this reference was used before.\n')
  })

  it('may be made by the owner instead, on a page whose address is printed alone', async () => {
    const { env, asked } = await serviceAnswering(200, { url: 'https://pay.example.com/1' })
    const args = ['accounts', 'top-up', 'acct_1', '7.00', '--checkout', 'https://example.com']
    expect(await decider(args, { env })).toEqual({ code: 0, out: 'https://pay.example.com/1\n', err: '' })
    expect(asked).toMatchObject([
      {
        line: 'POST /admin/v1/accounts/acct_1/checkout',
        body: '{"amount_usd":"7.00","return_url":"https://example.com"}',
      },
    ])
  })

  it('is listed with the others', async () => {
    const credit = { at: '2026-11-21T00:00:00.000Z', kind: 'top_up', amount_usd: '5.00', reference: 'r 1' }
    const deduction = { ...credit, kind: 'deduction', amount_usd: '-1.00' }
    const { env, asked } = await serviceAnswering(200, { data: [credit, deduction] })
    const { out } = await decider(['accounts', 'credits', 'acct_1'], { env, isTerminal: false })
    expect(out).toBe(
      '2026-11-21T00:00:00.000Z\ttop_up\t$5.00\tr 1\n2026-11-21T00:00:00.000Z\tdeduction\t-$1.00\tr 1\n',
    )
    expect(asked[0]?.line).toBe('GET /admin/v1/accounts/acct_1/credits')
  })
})

describe('auto-reload', () => {
  it.each([
    ['--below 5 --amount 20', 'PUT', '{"threshold_usd":"5","amount_usd":"20"}'],
    ['--off', 'DELETE', ''],
  ])('is set or turned off: %s', async (options, method, body) => {
    const { env, asked } = await serviceAnswering(200, { id: 'acct_1' })
    await decider(['accounts', 'auto-reload', 'acct_1', ...options.split(' ')], { env })
    expect(asked).toMatchObject([{ line: `${method} /admin/v1/accounts/acct_1/auto-reload`, body }])
  })

  it('is shown with the account, and when it was last tried', async () => {
    const shown = async (auto_reload: object | null) => {
      const { env } = await serviceAnswering(200, { id: 'acct_1', auto_reload })
      return (await decider(['accounts', 'show', 'acct_1'], { env })).out
    }
    const set = { threshold_usd: '5.00', amount_usd: '20.00', can_pay: false, last_fired_at: null }
    expect(await shown(null)).toMatch(/^auto-reload +off\nlast reload +–$/m)
    expect(await shown(set)).toMatch(
      /^auto-reload +\$20\.00 when below \$5\.00, once somebody has paid through --checkout\nlast reload +–$/m,
    )
    const fired = { can_pay: true, last_fired_at: '2026-11-21T00:00:00.000Z', last_outcome: 'paid' }
    expect(await shown({ ...set, ...fired })).toMatch(
      /^auto-reload +\$20\.00 when below \$5\.00\nlast reload +2026-11-21T00:00:00\.000Z \(paid\)$/m,
    )
  })
})

describe('what keys were charged', () => {
  it('is listed by day and key', async () => {
    const charge = { day: '2026-11-21', key_id: 'key_1', requests: 2, input_tokens: 30, cost_usd: '0.000003' }
    const { env, asked } = await serviceAnswering(200, { data: [charge] })
    const { out } = await decider(['accounts', 'charges', 'acct_1', '--limit', '1'], {
      env,
      isTerminal: false,
    })
    expect(out).toBe('2026-11-21\tkey_1\t2\t30\t$0.000003\n')
    expect(asked[0]?.line).toBe('GET /admin/v1/accounts/acct_1/charges?limit=1')
  })
})
