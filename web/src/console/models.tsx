import { useSignal } from '@preact/signals'
import { FieldError } from '../ui/field-error.tsx'
import { count } from '../ui/format.ts'
import { Table } from '../ui/table.tsx'
import { type Model, modelsOf } from './account.ts'
import { type Got, get } from './ask.ts'

/**
 * The available models, requested when someone unfolds the list. Unlike the console's other reads, this is an ordinary
 * request: it needs a balance and leaves a row in the activity.
 */
export const Models = () => {
  const models = useSignal<Got<readonly Model[]> | null>(null)
  const ask = async () => {
    models.value = await get('/v1/models', reply => modelsOf(reply.body))
  }
  return (
    <section class="card" aria-labelledby="models-title">
      <h2 id="models-title">Models</h2>
      <details
        class="figures"
        onToggle={event => event.currentTarget.open && models.value?.kind !== 'got' && void ask()}
      >
        <summary>Snapshots and aliases</summary>
        {models.value?.kind === 'got' && <ModelTable models={models.value.value} />}
        <FieldError role="alert" message={models.value?.kind === 'failed' ? models.value.why : null} />
      </details>
    </section>
  )
}

const ModelTable = ({ models }: { models: readonly Model[] }) => (
  <Table
    caption="Snapshots"
    columns={['Snapshot', 'Aliases', 'Status', 'Released', 'Retires', 'Longest state']}
  >
    {models.map(model => (
      <tr>
        <th scope="row" class="mono">
          {model.id}
        </th>
        <td class="mono">{model.aliases.join(', ')}</td>
        <td>
          <span class="tag good">{model.status}</span>
        </td>
        <td>{model.released}</td>
        <td>{model.retires ?? 'not planned'}</td>
        <td>{count(model.stateTokens)} tokens</td>
      </tr>
    ))}
  </Table>
)
