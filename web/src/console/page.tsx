import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { AccountUsage } from '../../../src/activity/wire.ts'
import { Account } from '../../../src/money/wire.ts'
import type { Failed } from '../service/client.ts'
import { KeyForm } from '../shell/key-form.tsx'
import { key } from '../shell/session.ts'
import { Title } from '../shell/title.tsx'
import { onlyLast } from '../ui/only-last.ts'
import { ActivityLog } from './activity-log.tsx'
import { get } from './ask.ts'
import { Charts } from './charts.tsx'
import { FailureNote } from './failure-note.tsx'
import { Models } from './models.tsx'
import { type Overall, Overview } from './overview.tsx'

const overall = signal<Overall | null>(null)
const failure = signal<Failed | null>(null)
const loading = signal(false)

const lastOf = onlyLast()

export const Console = () => {
  const inUse = key.value?.value ?? null
  // Before anything is drawn: what is here was read earlier, perhaps with another key, and its parts would ask anew.
  useLayoutEffect(() => {
    overall.value = null
    failure.value = null
    if (inUse !== null) void load(inUse)
  }, [inUse])
  return (
    <div class="page">
      <div class="page-head">
        <Title>Console</Title>
        {inUse !== null && (
          <button type="button" class="quiet" onClick={() => void load(inUse)}>
            {loading.value && overall.value !== null ? 'Refreshing …' : 'Refresh'}
          </button>
        )}
      </div>
      {inUse === null && (
        <div class="card narrow">
          <KeyForm />
        </div>
      )}
      <FailureNote failure={failure.value} />
      {inUse !== null && overall.value === null && failure.value === null && <p class="loading">Loading …</p>}
      {inUse !== null && overall.value !== null && (
        <>
          <Overview {...overall.value} />
          <Charts days={overall.value.days} />
          <ActivityLog key={inUse} asOf={overall.value} />
          <Models key={inUse} asOf={overall.value} />
          <Elsewhere />
        </>
      )}
    </div>
  )
}

const load = (asked: string): Promise<void> => {
  loading.value = true
  const read = Promise.all([get('/v1/account', Account), get('/v1/account/usage', AccountUsage)])
  return lastOf(read, ([account, usage]) => {
    loading.value = false
    // Another key may have been entered meanwhile.
    if (key.peek()?.value !== asked) return
    failure.value = [account, usage].find(got => got.kind !== 'ok') ?? null
    if (account.kind === 'ok' && usage.kind === 'ok') {
      overall.value = {
        account: account.value,
        rates: account.envelope.rates,
        // Oldest day first, as charts read.
        days: usage.value.data.toReversed(),
      }
    }
  })
}

const Elsewhere = () => (
  <section class="card" aria-labelledby="elsewhere-title">
    <h2 id="elsewhere-title">This page is read-only</h2>
    <p class="muted">
      Creating and revoking keys, top-ups, auto-reload and rates need the operator’s admin secret. Use the
      command line (<code>npm run decider -- --help</code>) or the admin API under <code>/admin/v1</code>.
    </p>
  </section>
)
