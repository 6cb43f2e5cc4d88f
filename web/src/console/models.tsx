import { count } from '../ui/format.ts'
import type { Model } from './account.ts'

export const Models = ({ models }: { models: readonly Model[] }) => (
  <section class="card" aria-labelledby="models-title">
    <h2 id="models-title">Models</h2>
    <div class="scroll">
      <table class="data">
        <caption class="unseen">Models</caption>
        <thead>
          <tr>
            <th scope="col">Snapshot</th>
            <th scope="col">Also called</th>
            <th scope="col">Status</th>
            <th scope="col">Released</th>
            <th scope="col">Retires</th>
            <th scope="col">Longest state</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  </section>
)
