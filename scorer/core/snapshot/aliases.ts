import { StartError } from '../../start-error.ts'
import type { Snapshot } from './load.ts'

const FAMILY_ALIASES = ['decider-1', 'decider']

/**
 * Alias to snapshot id. What is configured stands as it is; what is not, points to the newest snapshot.
 * An alias of a snapshot that is not here is a mistake to hear of at the start.
 */
export const resolveAliases = (
  snapshots: readonly Snapshot[],
  configured: Readonly<Record<string, string>>,
): Record<string, string> => {
  const ids = new Set(snapshots.map(({ description }) => description.id))
  for (const [alias, id] of Object.entries(configured)) {
    if (!ids.has(id))
      throw new StartError(`SCORER_ALIASES: ${alias} names ${id}, which is not among the snapshots`)
    if (ids.has(alias)) throw new StartError(`SCORER_ALIASES: ${alias} is the id of a snapshot`)
  }
  const newest = snapshots
    .map(({ description }) => description)
    .sort((a, b) => a.released.localeCompare(b.released) || a.id.localeCompare(b.id))
    .at(-1)
  const defaults = newest === undefined ? [] : FAMILY_ALIASES.map(alias => [alias, newest.id])
  return { ...Object.fromEntries(defaults), ...configured }
}
