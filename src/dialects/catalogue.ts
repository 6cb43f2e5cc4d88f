// The served models, as the foreign APIs list them.
import type { SnapshotInfo } from '../../scorer/protocol.ts'
import { type JsonObject, objectOf } from '../json/json.ts'
import type { Catalogue } from '../scorer/scorer.ts'

/** Every model name a request may carry, aliases first, with the snapshot it stands for. */
const names = ({ snapshots, aliases }: Catalogue): [name: string, snapshot: SnapshotInfo][] => {
  const byId = new Map(snapshots.map(snapshot => [snapshot.id, snapshot]))
  return [...Object.entries(aliases), ...snapshots.map(({ id }) => [id, id] as const)].flatMap(
    ([name, id]) => {
      const snapshot = byId.get(id)
      return snapshot === undefined ? [] : [[name, snapshot]]
    },
  )
}

/** `models` of `GET /v1/models`, which TypeSafe's SDKs read. */
export const systemOneModels = (catalogue: Catalogue): JsonObject[] =>
  names(catalogue).map(([name, { id, status, released }]) =>
    objectOf({
      name,
      description: name === id ? `Immutable snapshot of a decision model (${status}).` : `Alias of ${id}.`,
      release_date: released,
    }),
  )

/** The entries of `GET /openai/v1/models`, which OpenAI's SDK reads. */
export const openaiModels = (catalogue: Catalogue): JsonObject[] =>
  names(catalogue).map(([name, { released, retire_after }]) =>
    objectOf({
      id: name,
      object: 'model',
      created: Date.parse(`${released}T00:00:00Z`) / 1000,
      owned_by: 'decider',
      shutdown_date: retire_after,
    }),
  )
