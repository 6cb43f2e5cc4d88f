import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import * as v from 'valibot'
import { ModelList } from '../../../src/openapi/wire.ts'
import type { Fitting } from '../service/fitting.ts'
import { count } from '../ui/format.ts'
import { onlyLast } from '../ui/only-last.ts'
import { Table } from '../ui/table.tsx'
import { get } from './ask.ts'
import { FailureNote } from './failure-note.tsx'

/** Aliases by name, as an object: their order means nothing. */
const Listed = v.object({ data: ModelList.entries.data, alias: v.record(v.string(), v.string()) })
type Listed = v.InferOutput<typeof Listed>

const lastOf = onlyLast()

/**
 * The available models, requested when someone unfolds the list and, while it is unfolded, whenever `asOf` changes.
 * Unlike the console's other reads, this is an ordinary request: it needs a balance and leaves a row in the activity.
 */
export const Models = ({ asOf }: { asOf: object }) => {
  const models = useSignal<Fitting<typeof Listed> | null>(null)
  const list = useRef<HTMLDetailsElement>(null)
  const ask = () => {
    models.value = null
    return lastOf(get('/v1/models', Listed), got => (models.value = got))
  }
  useEffect(() => {
    if (list.current?.open) void ask()
  }, [asOf])
  return (
    <section class="card" aria-labelledby="models-title">
      <h2 id="models-title">Models</h2>
      <details class="figures" ref={list} onToggle={event => event.currentTarget.open && void ask()}>
        <summary>Snapshots and aliases</summary>
        {models.value === null && <p class="loading">Loading …</p>}
        {models.value?.kind === 'ok' && <ModelTable {...models.value.value} />}
        <FailureNote failure={models.value?.kind === 'ok' ? null : models.value} />
      </details>
    </section>
  )
}

const ModelTable = ({ data, alias }: Listed) => (
  <Table
    caption="Snapshots"
    columns={['Snapshot', 'Aliases', 'Status', 'Released', 'Retires', 'Longest state']}
  >
    {data.map(model => (
      <tr>
        <th scope="row" class="mono">
          {model.id}
        </th>
        <td class="mono">{namesOf(model.id, alias).join(', ')}</td>
        <td>
          <span class="tag good">{model.status}</span>
        </td>
        <td>{model.released}</td>
        <td>{model.retire_after ?? 'not planned'}</td>
        <td>{count(model.max_state_tokens)} tokens</td>
      </tr>
    ))}
  </Table>
)

const namesOf = (id: string, alias: Listed['alias']): string[] =>
  Object.keys(alias).filter(name => alias[name] === id)
