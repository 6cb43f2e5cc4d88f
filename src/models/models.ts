import { type JsonObject, objectOf } from '../json/json.ts'
import { Problem } from '../problem.ts'
import type { Catalogue } from '../scorer/scorer.ts'

/** More names for models, from the operator: to an alias of the scorer or to a snapshot. */
export type Aliases = ReadonlyMap<string, string>

/** The snapshot that serves a model name. Throws `model_not_found`. */
export const resolveModel = (name: string, catalogue: Catalogue, extra: Aliases): string => {
  const aliased = extra.get(name) ?? name
  const snapshot = Object.hasOwn(catalogue.aliases, aliased) ? catalogue.aliases[aliased] : aliased
  const served = catalogue.snapshots.find(({ id }) => id === snapshot)
  if (served === undefined) {
    throw new Problem('model_not_found', 'No such model; GET /v1/models lists those there are.')
  }
  return served.id
}

/** The answer of `GET /v1/models`; `models` is the same list as System One's clients read it. */
export const modelList = ({ snapshots, aliases }: Catalogue, extra: Aliases, today: string): JsonObject => {
  const alias = new Map(Object.entries(aliases))
  for (const [name, target] of extra) alias.set(name, aliases[target] ?? target)
  return objectOf({
    object: 'list',
    alias,
    data: snapshots.map(objectOf),
    today,
    models: snapshots.map(({ id, base, released }) =>
      objectOf({ name: id, description: `Immutable snapshot of ${base}`, release_date: released }),
    ),
  })
}

/** Reads a JSON object from alias to model name. Throws, without quoting anything, on what is not one. */
export const readAliases = (text: string): Aliases => {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('MODEL_ALIASES must be a JSON object')
  return new Map(
    Object.entries(parsed).map(([name, target]) => {
      if (typeof target !== 'string') throw new Error('MODEL_ALIASES must map names to names')
      return [name, target]
    }),
  )
}
