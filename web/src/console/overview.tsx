import type * as v from 'valibot'
import type { AccountUsage } from '../../../src/activity/wire.ts'
import type { Account } from '../../../src/money/wire.ts'
import type { Rates } from '../service/client.ts'
import { inDevelopment } from '../shell/session.ts'
import { cents, count, dollars, plural } from '../ui/format.ts'
import { Table } from '../ui/table.tsx'
import { inDollars } from './in-dollars.ts'

export type Overall = {
  account: v.InferOutput<typeof Account>
  rates: Rates | null
  days: AccountUsage['data']
}

/** The account, its balance, and this key's limits. */
export const Overview = ({ account, rates, days }: Overall) => {
  const { key, auto_reload: reload } = account
  const { requests_per_second, burst, tokens_per_minute } = key.limits
  const balance = inDollars(account.balance_nanodollars)
  const today = days.at(-1)
  const requests = days.reduce((sum, day) => sum + day.requests, 0)
  const spent = days.reduce((sum, day) => sum + day.cost_nanodollars, 0)
  return (
    <section aria-label="Overview">
      <p class="muted">
        <bdi>{account.name || 'Account'}</bdi> · <span class="mono">{account.id}</span> ·{' '}
        {account.verified_at !== null ? 'verified' : 'not verified'} · {plural(account.live_keys, 'live key')}
      </p>
      <div class="tiles">
        <div class="card tile">
          <h2>Balance</h2>
          <p class={balance > 0 ? 'big' : 'big bad-text'}>{cents(balance)}</p>
          <p class="muted small">
            {dollars(inDollars(account.credits_nanodollars))} credited,{' '}
            {dollars(inDollars(account.charges_nanodollars))} charged; usage is included within two minutes
          </p>
          <p class="muted small">
            {reload === null
              ? 'Auto-reload is off'
              : `Reloads ${dollars(Number(reload.amount_usd))} when below ${dollars(Number(reload.threshold_usd))}${reload.can_pay ? '' : ', once there is a card to charge'}`}
            {inDevelopment.value && '; payments are pretended here, and no money moves'}
          </p>
        </div>
        <div class="card tile">
          <h2>Spent in 30 days</h2>
          <p class="big">{dollars(inDollars(spent))}</p>
          <p class="muted small">
            {plural(requests, 'request')}, {count(today?.requests ?? 0)} of them today
          </p>
        </div>
        <div class="card tile">
          <h2>This key</h2>
          <p class="big mono hint">{key.hint}</p>
          <p class="muted small">
            {key.kind}
            {key.name && (
              <>
                , “<bdi>{key.name}</bdi>”
              </>
            )}
            {key.expires_at === null
              ? ''
              : `, expires ${key.expires_at.slice(0, 16).replace('T', ' ')} (UTC)`}
          </p>
        </div>
        <div class="card tile">
          <h2>Limits</h2>
          <Limit
            name="Requests"
            left={rates?.requests ?? burst}
            of={burst}
            note={`${count(requests_per_second)} a second, bursts of ${count(burst)}`}
          />
          <Limit
            name="Tokens"
            left={rates?.tokens ?? tokens_per_minute}
            of={tokens_per_minute}
            note={`${count(tokens_per_minute)} a minute`}
          />
        </div>
      </div>
      {account.recent_credits.length > 0 && (
        <details class="figures">
          <summary>Credits</summary>
          <Table caption="Recent credits" columns={['Day (UTC)', 'What', 'Amount']}>
            {account.recent_credits.map(credit => (
              <tr>
                <th scope="row">{credit.at.slice(0, 10)}</th>
                <td>{credit.kind.replaceAll('_', ' ')}</td>
                <td>{cents(inDollars(credit.amount_nanodollars))}</td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </section>
  )
}

const Limit = ({ name, left, of, note }: { name: string; left: number; of: number; note: string }) => (
  <div class="limit">
    <p>
      <span>{name}</span>
      <b>{count(left)} left</b>
    </p>
    <meter aria-label={`${name} left`} min={0} max={of} low={of / 10} value={left} />
    <p class="muted small">{note}</p>
  </div>
)
