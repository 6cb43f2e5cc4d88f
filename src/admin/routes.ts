import { type Context, Hono } from 'hono'
import { ActivityQuery } from '../activity/query.ts'
import { readActivity, readUsage } from '../activity/reader.ts'
import { activityView, usageView } from '../activity/views.ts'
import { readQuery, readSmallBody } from '../http/checked-input.ts'
import type { Account, AccountSummary, AutoReloadChange, KeyChange } from '../money/account.ts'
import { isAccountId, newAccountId } from '../money/account-id.ts'
import { paymentsOf } from '../money/configured-payments.ts'
import { type ApiKeyInfo, MAX_LIVE_KEYS } from '../money/keyring.ts'
import type { CreditOutcome } from '../money/ledger.ts'
import { MAX_BALANCE, NANODOLLARS_PER_DOLLAR } from '../money/nanodollars.ts'
import { creditReference, deductionReference } from '../money/payments.ts'
import { bookingView, chargeView, entryView, keyView, operatorsView } from '../money/views.ts'
import { Problem } from '../problem.ts'
import { operatorOnly } from './guard.ts'
import {
  AccountPage,
  ChargePage,
  CreditPage,
  chargeCursor,
  creditCursor,
  KeyPage,
  keyCursor,
  pageOf,
} from './pages.ts'
import {
  AutoReloadSettings,
  Booking,
  Checkout,
  NewAccount,
  NewKey,
  Nothing,
  RatesOrder,
  Renaming,
} from './schemas.ts'
import { withoutParameters } from './without-parameters.ts'

type AdminEnv = { Bindings: Env }

/** The operator's API: accounts, their keys and their money. Off unless ADMIN_SECRET is set. */
export const adminRoutes = new Hono<AdminEnv>()
  .use(operatorOnly)
  .get('/accounts', async c => {
    const { cursor = '', limit } = readQuery(c, AccountPage)
    const entries = await c.env.DIRECTORY.getByName('accounts').list(cursor, limit + 1)
    return c.json(pageOf(entries, limit, entryView, ({ id }) => id))
  })
  .get('/accounts/:id/credits', async c => {
    const { cursor = null, limit } = readQuery(c, CreditPage)
    const credits = found(await accountOf(c).credits(limit + 1, cursor))
    return c.json(pageOf(credits, limit, bookingView, creditCursor))
  })
  .get('/accounts/:id/charges', async c => {
    const { cursor = null, limit } = readQuery(c, ChargePage)
    const charges = found(await accountOf(c).charges(limit + 1, cursor))
    return c.json(pageOf(charges, limit, chargeView, chargeCursor))
  })
  .get('/accounts/:id/keys', async c => {
    const { cursor = null, limit } = readQuery(c, KeyPage)
    const keys = found(await accountOf(c).keys(limit + 1, cursor))
    return c.json(pageOf(keys, limit, keyView, keyCursor))
  })
  .get('/accounts/:id/activity', async c => {
    const query = readQuery(c, ActivityQuery)
    const { id } = found(await accountOf(c).summary())
    return c.json(activityView(await readActivity(c.env.ACTIVITY, id, query, Date.now())))
  })
  // Only the lists above take parameters.
  .use(withoutParameters)
  .post('/accounts', async c => {
    const { name } = await readSmallBody(c, NewAccount)
    const id = newAccountId()
    const account = c.env.ACCOUNT.getByName(id)
    await account.open(id, name)
    return c.json(operatorsView(found(await account.summary())), 201)
  })
  .get('/accounts/:id', async c => c.json(operatorsView(found(await accountOf(c).summary()))))
  .put('/accounts/:id/name', async c => {
    const { name } = await readSmallBody(c, Renaming)
    return c.json(operatorsView(found(await accountOf(c).rename(name))))
  })
  .post('/accounts/:id/close', async c => {
    await readSmallBody(c, Nothing)
    const { kind, account } = found(await accountOf(c).close())
    if (kind === 'untold') throw untold('The account is closed, but keys of it work until their Gates are')
    return c.json(operatorsView(account))
  })
  .post('/accounts/:id/reopen', async c => {
    await readSmallBody(c, Nothing)
    return c.json(operatorsView(found(await accountOf(c).reopen())))
  })
  .post('/accounts/:id/verify', async c => {
    await readSmallBody(c, Nothing)
    return c.json(operatorsView(found(await accountOf(c).verify())))
  })
  .post('/accounts/:id/top-up', async c => {
    const { amount_usd, reference } = await readSmallBody(c, Booking)
    const account = accountOf(c)
    // The payment event's own reference: if Stripe reports a payment that was already booked by hand, nothing changes.
    const credited = bookedNow(await account.credit(creditReference(reference), 'top_up', amount_usd))
    return c.json({ ...operatorsView(found(await account.summary())), credited })
  })
  .post('/accounts/:id/deduct', async c => {
    const { amount_usd, reference } = await readSmallBody(c, Booking)
    const account = accountOf(c)
    const deducted = bookedNow(await account.credit(deductionReference(reference), 'deduction', -amount_usd))
    return c.json({ ...operatorsView(found(await account.summary())), deducted })
  })
  .post('/accounts/:id/keys', async c => {
    const { kind, name, expires_at } = await readSmallBody(c, NewKey)
    const made = found(await accountOf(c).createKey({ kind, name, expiresAt: expires_at }))
    if (made.kind === 'closed') throw closed()
    if (made.kind === 'too_many_keys') {
      const rule = `An account can have at most ${MAX_LIVE_KEYS} live keys. Revoke one first.`
      throw new Problem('invalid_schema', rule)
    }
    if (made.kind === 'withdrawn') {
      throw new Problem(
        'internal_error',
        'No key was made: its Gate or the directory cannot be notified. Send the request again.',
      )
    }
    return c.json({ id: made.id, kind, name, key: made.key }, 201)
  })
  .get('/keys/:key', async c => {
    const keyId = c.req.param('key')
    const accountId = found(await c.env.DIRECTORY.getByName('accounts').accountOf(keyId))
    const account = c.env.ACCOUNT.getByName(accountId)
    const [key, owner] = await Promise.all([account.key(keyId), account.summary()])
    const { name: account_name } = found(owner)
    return c.json({ ...keyView(found(key)), account_id: accountId, account_name })
  })
  .post('/accounts/:id/keys/:key/revoke', async c => {
    await readSmallBody(c, Nothing)
    const revocation = found(await accountOf(c).revokeKey(c.req.param('key')))
    return c.json(keyView(told(revocation, 'The revocation is recorded, but the key works')))
  })
  .put('/accounts/:id/keys/:key/rates', async c => {
    const { requests_per_second, tokens_per_minute } = await readSmallBody(c, RatesOrder)
    const rates = { requestsPerSecond: requests_per_second, tokensPerMinute: tokens_per_minute }
    const reservation = found(await accountOf(c).reserveRates(c.req.param('key'), rates))
    return c.json(keyView(told(reservation, 'The rates are recorded, but the key keeps its earlier ones')))
  })
  .put('/accounts/:id/auto-reload', async c => {
    const { threshold_usd, amount_usd } = await readSmallBody(c, AutoReloadSettings)
    const settings = { threshold: threshold_usd, amount: amount_usd }
    return c.json(operatorsView(changed(found(await accountOf(c).setAutoReload(settings)))))
  })
  .delete('/accounts/:id/auto-reload', async c => {
    await readSmallBody(c, Nothing)
    return c.json(operatorsView(changed(found(await accountOf(c).setAutoReload(null)))))
  })
  .post('/accounts/:id/checkout', async c => {
    const { amount_usd, return_url } = await readSmallBody(c, Checkout)
    const { id, closedAt } = found(await accountOf(c).summary())
    if (closedAt !== null) throw closed()
    const payments = paymentsOf(c.env)
    if (payments === null) throw new Problem('not_found', 'Payments are not configured.')
    const order = { accountId: id, nanodollars: amount_usd, returnUrl: return_url }
    const checkout = await payments.openCheckout(order)
    if (checkout.kind === 'refused')
      throw new Problem(
        'invalid_schema',
        'Stripe refuses to open such a page. Its log of requests says why. Outside test mode, return_url must begin with https://.',
      )
    return c.json({ object: 'checkout', url: checkout.url }, 201)
  })
  .get('/accounts/:id/usage', async c => {
    const { id } = found(await accountOf(c).summary())
    return c.json(usageView(await readUsage(c.env.ACTIVITY, id, Date.now())))
  })

const accountOf = (c: Context<AdminEnv, '/accounts/:id'>): DurableObjectStub<Account> => {
  const id = c.req.param('id')
  if (!isAccountId(id)) throw new Problem('not_found', 'There is no such account.')
  return c.env.ACCOUNT.getByName(id)
}

const found = <Thing>(thing: Thing | null): Thing => {
  if (thing === null) throw new Problem('not_found', 'There is no such account or key.')
  return thing
}

/** False if exactly this was booked before. Throws if it was refused. */
const bookedNow = (outcome: CreditOutcome | null): boolean => {
  switch (found(outcome)) {
    case 'other_amount':
      throw new Problem('invalid_schema', 'reference was used before, for another amount.', {
        param: 'reference',
      })
    case 'too_much': {
      const most = MAX_BALANCE / NANODOLLARS_PER_DOLLAR
      throw new Problem(
        'invalid_schema',
        `amount_usd would take the balance above ${most} or below -${most}.`,
        { param: 'amount_usd' },
      )
    }
    case 'known':
      return false
    case 'credited':
      return true
  }
}

/** The key as changed. Throws if its Gate does not know of the change, with what holds meanwhile. */
const told = (change: KeyChange, meanwhile: string): ApiKeyInfo => {
  if (change.kind === 'told') return change.key
  throw untold(`${meanwhile} until its Gate is`)
}

const untold = (meanwhile: string): Problem =>
  new Problem('internal_error', `${meanwhile} notified. Send the request again.`)

const changed = (change: AutoReloadChange): AccountSummary => {
  if (change.kind === 'closed') throw closed()
  return change.account
}

const closed = (): Problem => new Problem('invalid_schema', 'The account is closed. Reopen it first.')
