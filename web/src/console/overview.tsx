import type { Rates } from '../service/client.ts'
import { inDevelopment } from '../shell/session.ts'
import { cents, count, dollars, plural } from '../ui/format.ts'
import { Table } from '../ui/table.tsx'
import type { Account, Day } from './account.ts'

export type Overall = { account: Account; rates: Rates | null; days: readonly Day[] }

/** The account, its balance, and this key's limits. */
export const Overview = ({ account, rates, days }: Overall) => {
  const today = days.at(-1)
  const requests = days.reduce((sum, day) => sum + day.requests, 0)
  const spent = days.reduce((sum, day) => sum + day.costUsd, 0)
  return (
    <section aria-label="Overview">
      <p class="muted">
        {account.name || 'Account'} · <span class="mono">{account.id}</span> ·{' '}
        {account.verified ? 'verified' : 'not verified'} · {plural(account.liveKeys, 'live key')}
      </p>
      <div class="tiles">
        <div class="card tile">
          <h2>Balance</h2>
          <p class={account.balanceUsd > 0 ? 'big' : 'big bad-text'}>{cents(account.balanceUsd)}</p>
          <p class="muted small">
            {dollars(account.creditsUsd)} credited, {dollars(account.chargesUsd)} charged; usage is included
            within two minutes
          </p>
          <p class="muted small">
            {account.autoReload === null
              ? 'Auto-reload is off'
              : `Reloads $${account.autoReload.amount} when below $${account.autoReload.threshold}${account.autoReload.canPay ? '' : ', once there is a card to charge'}`}
            {inDevelopment.value && '; payments are pretended here, and no money moves'}
          </p>
        </div>
        <div class="card tile">
          <h2>Spent in 30 days</h2>
          <p class="big">{dollars(spent)}</p>
          <p class="muted small">
            {plural(requests, 'request')}, {count(today?.requests ?? 0)} of them today
          </p>
        </div>
        <div class="card tile">
          <h2>This key</h2>
          <p class="big mono hint">{account.key.hint}</p>
          <p class="muted small">
            {account.key.kind}
            {account.key.name && `, “${account.key.name}”`}
            {account.key.expires === null ? '' : `, expires ${account.key.expires.slice(0, 10)}`}
          </p>
        </div>
        <div class="card tile">
          <h2>Limits</h2>
          <Limit
            name="Requests"
            left={rates?.requests ?? account.key.burst}
            of={account.key.burst}
            note={`${count(account.key.requestsPerSecond)} a second, bursts of ${count(account.key.burst)}`}
          />
          <Limit
            name="Tokens"
            left={rates?.tokens ?? account.key.tokensPerMinute}
            of={account.key.tokensPerMinute}
            note={`${count(account.key.tokensPerMinute)} a minute`}
          />
        </div>
      </div>
      {account.credits.length > 0 && (
        <details class="figures">
          <summary>Credits</summary>
          <Table caption="Recent credits" columns={['When', 'What', 'Amount']}>
            {account.credits.map(credit => (
              <tr>
                <th scope="row">{credit.at.slice(0, 10)}</th>
                <td>{credit.kind.replaceAll('_', ' ')}</td>
                <td>{cents(credit.amountUsd)}</td>
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
