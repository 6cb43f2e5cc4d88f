import { createHash } from 'node:crypto'
import { present } from '../present.ts'
import type { Row } from './row.ts'

export const FOLDS = 5

export type FoldedRow = Row & { fold: number }

/**
 * Deals rows into folds: all rows of a state into one, each label spread as evenly as that allows. The order and
 * the deal depend on nothing but the rows themselves, so the same examples in any order give the same folds.
 *
 * For offsets, labels have no say in it. Spread evenly, those of four folds would tell how common each is in the fifth,
 * and offsets, which learn just that, would do better there than on any new case.
 */
export const dealFolds = (rows: readonly Row[], withOffsets = false): FoldedRow[] => {
  const sorted = rows.toSorted(
    (one, other) =>
      compare(one.group, other.group) ||
      compare(one.label, other.label) ||
      compare(one.placed.join(), other.placed.join()),
  )
  const fold = new Map<string, number>()
  const folds = Array.from({ length: FOLDS }, (_, number): Fold => ({ number, size: 0, labels: new Map() }))
  for (const { name, labels } of shuffledGroups(sorted)) {
    const spread = withOffsets ? [] : labels
    const target = folds.reduce((best, next) => (crowdsLess(next, best, spread) ? next : best))
    fold.set(name, target.number)
    target.size += labels.length
    for (const label of labels) target.labels.set(label, (target.labels.get(label) ?? 0) + 1)
  }
  return sorted.map(row => ({ ...row, fold: present(fold.get(row.group), 'a fold') }))
}

/** Counts each label by its place: its name is the caller's own. */
type Fold = { number: number; size: number; labels: Map<number, number> }

/** Would these labels meet fewer of their kind here than there, or as many among fewer rows? */
const crowdsLess = (here: Fold, there: Fold, labels: readonly number[]): boolean => {
  const met = (fold: Fold) => labels.reduce((sum, label) => sum + (fold.labels.get(label) ?? 0), 0)
  const difference = met(here) - met(there)
  return difference < 0 || (difference === 0 && here.size < there.size)
}

/** The places of the labels of each state, largest states first, otherwise shuffled by a digest of all rows. */
const shuffledGroups = (sorted: readonly Row[]): { name: string; labels: number[] }[] => {
  const seed = digest(sorted.map(row => `${JSON.stringify([row.group, row.label])}\n`).join(''))
  return [...Map.groupBy(sorted, ({ group }) => group)]
    .map(([name, rows]) => ({ name, labels: rows.map(({ place }) => place), turn: digest(seed + name) }))
    .sort((one, other) => other.labels.length - one.labels.length || compare(one.turn, other.turn))
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
