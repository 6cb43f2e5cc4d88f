import type { SnapshotInfo } from '../../scorer/protocol.ts'
import { dayOf } from '../day.ts'
import type { Dialect } from '../decision/dialect.ts'
import { openaiModels, systemOneModels } from '../dialects/catalogue.ts'
import { type JsonObject, objectOf } from '../json/json.ts'
import { Problem } from '../problem.ts'
import { type Catalogue, engineTimeout } from '../scorer/scorer.ts'
import type { Services } from '../services.ts'
import type { Aliases } from './aliases.ts'

/**
 * The catalogue with the operator's names among its aliases, but for those that stand for no model. The id of a
 * snapshot always means that snapshot.
 */
const withAliases = (catalogue: Catalogue, extra: Aliases): Catalogue => {
  const { snapshots, aliases } = catalogue
  const dangling = new Set(danglingNames(catalogue, extra))
  const free = [...extra].filter(([name]) => !dangling.has(name) && snapshots.every(({ id }) => id !== name))
  const named = free.map(([name, target]) => [name, lookUp(aliases, target)])
  return { snapshots, aliases: { ...aliases, ...Object.fromEntries(named) } }
}

/** The operator's names that stand for no model. */
export const danglingNames = ({ snapshots, aliases }: Catalogue, extra: Aliases): string[] =>
  [...extra]
    .filter(([, target]) => snapshots.every(({ id }) => id !== lookUp(aliases, target)))
    .map(([name]) => name)

/** Every model of this service. Throws `engine_timeout` until a scorer has been heard from. */
export const servedModels = async ({
  scorer,
  modelAliases,
}: Pick<Services, 'scorer' | 'modelAliases'>): Promise<Catalogue> => {
  const catalogue = await scorer.catalogue()
  if (catalogue === null) throw engineTimeout()
  return withAliases(catalogue, modelAliases)
}

/** The snapshot that serves a model name. Throws `model_not_found`, which says at which path the names are listed. */
export const resolveModel = (
  name: string,
  { snapshots, aliases }: Catalogue,
  listedAt: Dialect['models'] = '/v1/models',
): SnapshotInfo => {
  const id = lookUp(aliases, name)
  const snapshot = snapshots.find(candidate => candidate.id === id)
  if (snapshot === undefined) throw noSuchModel(listedAt)
  return snapshot
}

const noSuchModel = (listedAt: Dialect['models']): Problem =>
  new Problem('model_not_found', `There is no such model. GET ${listedAt} lists the available models.`)

/** The answer of `GET /v1/models`. `models` says the same for System One's clients. */
export const modelList = (catalogue: Catalogue, now: number): JsonObject =>
  objectOf({
    object: 'list',
    alias: new Map(Object.entries(catalogue.aliases)),
    data: catalogue.snapshots.map(objectOf),
    today: dayOf(now),
    models: systemOneModels(catalogue),
  })

/** The answer of `GET /v1/models/:model`: the snapshot that the name stands for. Throws `model_not_found`. */
export const modelOf = (catalogue: Catalogue, name: string): JsonObject =>
  objectOf(resolveModel(name, catalogue))

/** The answer of `GET /openai/v1/models`. */
export const openaiModelList = (catalogue: Catalogue): JsonObject =>
  objectOf({ object: 'list', data: openaiModels(catalogue) })

/** The answer of `GET /openai/v1/models/:model`. Throws `model_not_found`. */
export const openaiModelOf = (catalogue: Catalogue, name: string): JsonObject => {
  const model = openaiModels(catalogue).find(entry => entry.get('id') === name)
  if (model === undefined) throw noSuchModel('/openai/v1/models')
  return model
}

const lookUp = (aliases: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name
