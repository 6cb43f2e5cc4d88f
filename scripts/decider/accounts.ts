import type { Answer } from './client.ts'
import { arg, ask, type Command, needed, type Outcome, paged, pageOf, pathArg, text } from './command.ts'
import { listOf, type Row } from './output.ts'

/** `-1.00` as `-$1.00`. */
const dollars = (amount: string): string => `$${amount}`.replace('$-', '-$')

const shown = (account: Answer, note?: string): Outcome => ({
  output: {
    kind: 'record',
    data: account,
    ...(note !== undefined && { note }),
    fields: {
      account: account.id,
      name: account.name,
      created: account.created_at,
      verified: account.verified_at,
      balance: dollars(account.balance_usd),
      'auto-reload': account.auto_reload
        ? `$${account.auto_reload.amount_usd} when below $${account.auto_reload.threshold_usd}${account.auto_reload.can_pay ? '' : ', once somebody has paid through --checkout'}`
        : 'off',
      'last reload':
        account.auto_reload?.last_fired_at &&
        `${account.auto_reload.last_fired_at} (${account.auto_reload.last_outcome})`,
      'live keys': account.live_keys,
      closed: account.closed_at,
    },
  },
})

/** Nothing is paid back by closing, so that the operator must know what is left. */
const leftIn = ({ balance_usd, balance_nanodollars: balance }: Answer): string | undefined => {
  if (balance === 0) return undefined
  const left =
    balance > 0 ? `$${balance_usd} is left in the account` : `The account owes $${balance_usd.slice(1)}`
  return `${left}. Usage of the last two minutes may still come off: look again before you settle it.`
}

/** A reference that was used before changes nothing, which the balance alone would not show. */
const booked = (account: Answer, now: boolean): Outcome =>
  shown(account, now ? undefined : 'Nothing changed: this reference was used before.')

const accountRow = ({ id, name, created_at, closed_at }: Answer): Row => ({
  account: id,
  name,
  created: created_at,
  closed: closed_at,
})

const creditRow = ({ at, kind, amount_usd, reference }: Answer): Row => ({
  at,
  kind,
  amount: dollars(amount_usd),
  reference,
})

const chargeRow = (charge: Answer): Row => ({
  day: charge.day,
  key: charge.key_id,
  requests: charge.requests,
  tokens: charge.input_tokens,
  cost: `$${charge.cost_usd}`,
})

export const accountCommands: readonly Command[] = [
  {
    name: 'accounts create',
    takes: [],
    options: { name: { value: 'name', says: 'what to call it' } },
    says: 'Open an account. It holds nothing until it is verified or topped up.',
    run: async call => shown(await ask(call, 'POST', '/accounts', { name: text(call, 'name') })),
  },
  {
    name: 'accounts list',
    takes: [],
    options: paged,
    says: 'List accounts.',
    run: async call => {
      const answer = await ask(call, 'GET', `/accounts${pageOf(call)}`)
      return { output: listOf(answer, accountRow, 'There are no accounts yet.') }
    },
  },
  {
    name: 'accounts show',
    takes: ['account'],
    options: {},
    says: 'Show an account: balance, auto-reload, number of keys.',
    run: async call => shown(await ask(call, 'GET', `/accounts/${pathArg(call, 0)}`)),
  },
  {
    name: 'accounts rename',
    takes: ['account', 'name'],
    options: {},
    says: 'Give an account another name.',
    run: async call =>
      shown(await ask(call, 'PUT', `/accounts/${pathArg(call, 0)}/name`, { name: arg(call, 1) })),
  },
  {
    name: 'accounts close',
    takes: ['account'],
    options: {},
    says: 'Revoke all keys of an account for good and turn auto-reload off. Its balance and books stay.',
    run: async call => {
      const account = await ask(call, 'POST', `/accounts/${pathArg(call, 0)}/close`)
      return shown(account, leftIn(account))
    },
  },
  {
    name: 'accounts reopen',
    takes: ['account'],
    options: {},
    says: 'Let a closed account have keys again. Those it had stay revoked.',
    run: async call => shown(await ask(call, 'POST', `/accounts/${pathArg(call, 0)}/reopen`)),
  },
  {
    name: 'accounts verify',
    takes: ['account'],
    options: {},
    says: 'Mark the owner as verified. The first time, this adds the starter credit of $5.00.',
    run: async call => shown(await ask(call, 'POST', `/accounts/${pathArg(call, 0)}/verify`)),
  },
  {
    name: 'accounts top-up',
    takes: ['account', 'dollars'],
    options: {
      reference: { value: 'text', says: 'identifies the payment; using it again credits nothing' },
      checkout: { value: 'return URL', says: 'open a payment page instead and print its address' },
    },
    needs: [['reference'], ['checkout']],
    says: 'Credit a payment you have received, or open a payment page for the account.',
    run: async call => {
      const [account, amount_usd] = [pathArg(call, 0), arg(call, 1)]
      const return_url = text(call, 'checkout')
      if (return_url !== undefined) {
        const page = await ask(call, 'POST', `/accounts/${account}/checkout`, { amount_usd, return_url })
        return { output: { kind: 'value', data: page, value: page.url } }
      }
      const reference = needed(call, 'reference')
      const answer = await ask(call, 'POST', `/accounts/${account}/top-up`, { amount_usd, reference })
      return booked(answer, answer.credited)
    },
  },
  {
    name: 'accounts deduct',
    takes: ['account', 'dollars'],
    options: {
      reference: {
        value: 'text',
        says: "identifies the deduction, such as Stripe's id of a refund; using it again deducts nothing",
      },
    },
    needs: [['reference']],
    says: 'Deduct from the balance what was refunded or charged back outside the service.',
    run: async call => {
      const body = { amount_usd: arg(call, 1), reference: needed(call, 'reference') }
      const path = `/accounts/${pathArg(call, 0)}/deduct`
      const answer = await ask(call, 'POST', path, body)
      return booked(answer, answer.deducted)
    },
  },
  {
    name: 'accounts credits',
    takes: ['account'],
    options: paged,
    says: 'List credits and deductions, newest first.',
    run: async call => {
      const answer = await ask(call, 'GET', `/accounts/${pathArg(call, 0)}/credits${pageOf(call)}`)
      return { output: listOf(answer, creditRow, 'There are no credits or deductions yet.') }
    },
  },
  {
    name: 'accounts charges',
    takes: ['account'],
    options: paged,
    says: 'List what each key was charged on each day, the latest day first.',
    run: async call => {
      const answer = await ask(call, 'GET', `/accounts/${pathArg(call, 0)}/charges${pageOf(call)}`)
      return { output: listOf(answer, chargeRow, 'Nothing was charged yet.') }
    },
  },
  {
    name: 'accounts auto-reload',
    takes: ['account'],
    options: {
      below: { value: 'dollars', says: 'reload when the balance falls below this' },
      amount: { value: 'dollars', says: 'how much to reload, at most once in 24 hours' },
      off: { value: null, says: 'turn auto-reload off' },
    },
    needs: [['below', 'amount'], ['off']],
    says: 'Set auto-reload or turn it off. If the balance is already below, it buys at once.',
    run: async call => {
      const path = `/accounts/${pathArg(call, 0)}/auto-reload`
      if (call.options.off === true) return shown(await ask(call, 'DELETE', path))
      const settings = { threshold_usd: needed(call, 'below'), amount_usd: needed(call, 'amount') }
      return shown(await ask(call, 'PUT', path, settings))
    },
  },
]
