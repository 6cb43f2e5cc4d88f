import { StartError } from '../../start-error.ts'
import type { Snapshot } from './load.ts'

const FAMILY_ALIASES = ['decider-1', 'decider']

/**
 * Maps aliases to snapshot ids. Configured aliases stand as they are; the family's other aliases point to the newest
 * snapshot, except for one that is itself the id of a snapshot. An alias of a snapshot that is not loaded is a mistake,
 * reported at the start.
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
  const free = FAMILY_ALIASES.filter(alias => !ids.has(alias))
  const defaults = newest === undefined ? [] : free.map(alias => [alias, newest.id])
  return { ...Object.fromEntries(defaults), ...configured }
}
