import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ActivityEntry, ActivityList } from '../../../src/activity/wire.ts'
import { IN_ACTIVITY } from '../../../src/openapi/codes.ts'
import type { Failed } from '../service/client.ts'
import { FleetingButton } from '../ui/fleeting-button.tsx'
import { count, milliseconds } from '../ui/format.ts'
import { onlyLast } from '../ui/only-last.ts'
import { Table } from '../ui/table.tsx'
import { get } from './ask.ts'
import { FailureNote } from './failure-note.tsx'
import { PATHS } from './paths.ts'

type Filters = { status: string; path: string; error_code: string; from: string }

const lastOf = onlyLast()

const NONE: Filters = { status: '', path: '', error_code: '', from: '' }

const CHOICES: readonly { name: keyof Filters; label: string; values: readonly string[] }[] = [
  { name: 'status', label: 'Status', values: ['200', '4xx', '429', '5xx'] },
  { name: 'path', label: 'Path', values: PATHS },
  { name: 'error_code', label: 'Error code', values: IN_ACTIVITY },
]

/**
 * The requests of the last 30 days, newest first. Figures only, because content is never kept. Reloaded whenever
 * `asOf` changes.
 */
export const ActivityLog = ({ asOf }: { asOf: object }) => {
  const filters = useSignal(NONE)
  const entries = useSignal<readonly ActivityEntry[]>([])
  const next = useSignal<string | null>(null)
  const loading = useSignal(true)
  const failure = useSignal<Failed | null>(null)
  const since = useRef<HTMLInputElement>(null)

  const load = (cursor: string | null) => {
    loading.value = true
    failure.value = null
    const query = queryOf(filters.peek(), cursor)
    return lastOf(get(`/v1/account/activity?${query}`, ActivityList), got => {
      loading.value = false
      if (got.kind !== 'ok') {
        failure.value = got
        // Those that are shown were asked for with other filters.
        if (cursor === null) {
          entries.value = []
          next.value = null
        }
        return
      }
      const { data, next_cursor } = got.value
      entries.value = cursor === null ? data : [...entries.peek(), ...data]
      next.value = next_cursor
    })
  }
  useEffect(() => void load(null), [filters.value, asOf])

  const set = (part: Partial<Filters>) => {
    filters.value = { ...filters.peek(), ...part }
  }
  const clear = () => {
    filters.value = NONE
    // Half a date has no value, so drawing none again would leave it there.
    if (since.current !== null) since.current.value = ''
  }
  const isEmpty = entries.value.length === 0 && failure.value === null
  const shown = isEmpty ? 'No requests to show.' : `Requests shown: ${count(entries.value.length)}`
  const said = loading.value ? 'Loading …' : failure.value === null && shown
  return (
    <section class="card" aria-labelledby="activity-title" aria-busy={loading.value}>
      <h2 id="activity-title">Activity</h2>
      <div class="row filters">
        {CHOICES.map(({ name, label, values }) => (
          <label class="stacked">
            {label}
            <select
              value={filters.value[name]}
              onChange={event => set({ [name]: event.currentTarget.value })}
            >
              <option value="">All</option>
              {values.map(value => (
                <option value={value}>{value}</option>
              ))}
            </select>
          </label>
        ))}
        <label class="stacked">
          Since (UTC)
          <input
            ref={since}
            type="date"
            value={filters.value.from}
            onChange={event => set({ from: event.currentTarget.value })}
          />
        </label>
        {filters.value !== NONE && (
          <FleetingButton class="link" heir=".filters select" onClick={clear}>
            Clear filters
          </FleetingButton>
        )}
      </div>
      <FailureNote failure={failure.value} />
      <EntryTable entries={entries.value} />
      {next.value !== null && (
        <FleetingButton
          class="quiet"
          heir=".filters ~ .scroll"
          aria-disabled={loading.value}
          onClick={() => !loading.peek() && void load(next.value)}
        >
          Older requests
        </FleetingButton>
      )}
      {/* Always on the page, or a screen reader would not announce it. To the eye, the table says how many. */}
      <p class={isEmpty ? 'muted' : 'unseen'} role="status">
        {said}
      </p>
    </section>
  )
}

const queryOf = (filters: Filters, cursor: string | null): string => {
  const query = new URLSearchParams({ limit: '25' })
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value)
  if (cursor !== null) query.set('cursor', cursor)
  return query.toString()
}

const EntryTable = ({ entries }: { entries: readonly ActivityEntry[] }) => (
  <Table
    caption="Requests, newest first"
    columns={[
      'Time (UTC)',
      'Path',
      'Status',
      'Latency',
      'Questions',
      'Tokens',
      'Cached',
      'Cost',
      'Request id',
    ]}
  >
    {entries.map(entry => (
      <tr key={entry.request_id}>
        <th scope="row">{entry.at.slice(0, 19).replace('T', ' ')}</th>
        <td class="mono">{entry.path}</td>
        <td>
          <span class={entry.status < 400 ? 'tag good' : entry.status < 500 ? 'tag warn' : 'tag bad'}>
            {entry.status} {entry.error_code}
          </span>
        </td>
        <td>{milliseconds(entry.latency_ms)}</td>
        <td>{count(entry.question_count)}</td>
        <td>{count(entry.input_tokens)}</td>
        <td>{count(entry.cached_tokens)}</td>
        <td>${entry.cost_usd}</td>
        <td class="mono">{entry.request_id}</td>
      </tr>
    ))}
  </Table>
)
