import { isErrorWithin } from './clopper-pearson.ts'
import type { Judged, Row } from './row.ts'
import { HIGHEST_TEMPERATURE } from './temperature.ts'

/** How many rows have the label that most have: as many as are right if nothing else is ever answered. */
export const commonestLabelCount = (rows: readonly Pick<Row, 'place'>[]): number =>
  Math.max(...[...Map.groupBy(rows, ({ place }) => place).values()].map(({ length }) => length))

/**
 * What suggests that a question's labels are mistaken or its answers useless: in counts, quoting no example. How many
 * answers are right is counted out of fold: offsets that saw the labels make even useless answers look right more often.
 */
export const doubtsAbout = (
  rows: readonly Row[],
  temperature: number,
  letThrough: readonly Row[],
  outOfFold: readonly Pick<Judged, 'correct'>[] = rows,
): string[] => {
  const right = outOfFold.filter(({ correct }) => correct).length
  const commonest = commonestLabelCount(rows)
  const options = rows[0]?.logits.length ?? 0
  const labels = new Set(rows.map(({ place }) => place))
  const unused = options - labels.size
  const rightThere = new Set(letThrough.filter(({ correct }) => correct).map(({ place }) => place))
  const others = (among: readonly Row[]) => among.filter(({ place }) => !rightThere.has(place)).length
  const states = [...Map.groupBy(rows, ({ group }) => group).values()]
  const contradictory = states.filter(([first, ...more]) =>
    more.some(({ place }) => place !== first?.place),
  ).length
  return [
    temperature === HIGHEST_TEMPERATURE
      ? 'the temperature is at its limit, because the labels contradict the answers: are they swapped?'
      : null,
    labels.size > 1 && right <= commonest
      ? `the answers are right for ${right} of ${rows.length} labels, no more than always giving the commonest one, which gets ${commonest}`
      : null,
    labels.size > 1 && rightThere.size === 1
      ? `every right answer that is let through is the same one; of ${others(rows)} with another label, ${others(letThrough)} are let through wrongly`
      : null,
    unused > 0 ? `options that never occur among the labels: ${unused} of ${options}` : null,
    2 * states.length < rows.length
      ? `copies prove nothing: its ${rows.length} labels are of only ${states.length === 1 ? 'one state' : `${states.length} different states`}`
      : null,
    contradictory > 0 ? `states with more than one label: ${contradictory} of ${states.length}` : null,
  ].filter(doubt => doubt !== null)
}

/** By how much the Brier score may rise before it is worth a word. */
const NOTICEABLE = 0.01

/** Whether calibration moves probabilities away from the labels, by this measure. */
export const doubtsAboutBrier = (before: number, after: number): string[] =>
  after - before > NOTICEABLE
    ? [
        `calibration raises the Brier score from ${before.toFixed(3)} to ${after.toFixed(3)}, out of fold: a few wrong labels among the surest answers can do that`,
      ]
    : []

/** If only chance decided, as many would be won as lost. */
const EVEN = 0.5
/** One-sided, and exact: three lost and none won may well be chance. */
const BEYOND_CHANCE = 0.95

/** Whether offsets lose more right answers than they win, out of fold and beyond chance. Without them both are none. */
export const doubtsAboutOffsets = (without: readonly Judged[], withThem: readonly Judged[]): string[] => {
  const changed = without.filter((row, index) => row.correct !== withThem[index]?.correct)
  const lost = changed.filter(({ correct }) => correct).length
  const won = changed.length - lost
  return isErrorWithin(EVEN, won, changed.length, BEYOND_CHANCE)
    ? [
        `offsets turn ${lost} right answers into wrong ones and ${won} wrong ones into right ones, out of fold: fit this question without them`,
      ]
    : []
}
