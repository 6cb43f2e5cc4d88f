import { atTemperature, withOffsets } from '../decision/distribution.ts'
import { present } from '../present.ts'
import type { Scale } from '../profiles/profile.ts'
import type { Label } from './label.ts'

/** One labelled question of one example. */
export type Row = {
  /** Digest of the state: rows of one state stay in one fold, and count as one trial. */
  group: string
  /** The right option's name, the same in whatever order the options were sent. */
  label: string
  /** Highest first, so that rows that differ only in the order of their options give the same numbers to the bit. */
  logits: readonly number[]
  /** The index of the right option's logit. */
  truth: number
  /** Would the service have answered the label? */
  correct: boolean
  /** The logits in the order that the question's signature knows the options in, and the right option's place. */
  placed: readonly number[]
  place: number
}

/**
 * Takes logits in the question's own order. `places` tells where each option is in the order of the question's
 * signature, if that is another.
 *
 * If several logits are highest, a decision answers the first. A row that offsets have shifted knows only the order of
 * the signature, so there it is the first in that.
 */
export const labelledRow = (
  group: string,
  label: Label,
  logits: readonly number[],
  places?: readonly number[],
): Row => {
  const sorted = logits.toSorted((one, other) => other - one)
  const own = present(logits[label.index], 'the logit of a label')
  return {
    group,
    label: label.name,
    logits: sorted,
    truth: sorted.indexOf(own),
    correct: logits.indexOf(sorted[0] ?? own) === label.index,
    placed: places === undefined ? logits : permuted(logits, places),
    place: places === undefined ? label.index : present(places[label.index], 'a place'),
  }
}

const permuted = (logits: readonly number[], places: readonly number[]): number[] => {
  const placed = [...logits]
  for (const [option, logit] of logits.entries()) placed[present(places[option], 'a place')] = logit
  return placed
}

/** The row as it would be if the offsets were part of its logits. */
export const shifted = (row: Row, offsets: readonly number[] | undefined): Row =>
  offsets === undefined
    ? row
    : labelledRow(row.group, { name: row.label, index: row.place }, withOffsets(row.placed, offsets))

/** What a scale makes of a row. */
export type Judged = {
  group: string
  /** The highest probability. */
  confidence: number
  correct: boolean
  /** Negative natural logarithm of the right option's probability. */
  nll: number
  /** Squared distance between the probabilities and the truth, summed over all options: 0 to 2. */
  brier: number
}

/**
 * A second implementation of what `spreadOf` and `topOf` do in a decision, because a calibration does this a hundred
 * thousand times. The operations are the same and come in the same order: logits that are sorted already need only be
 * added from the end.
 */
export const judge = ({ group, logits, truth, correct }: Row, temperature: number): Judged => {
  const scaled = atTemperature(logits, temperature)
  const highest = scaled[0] ?? 0
  const weights = scaled.map(logit => Math.exp(logit - highest))
  const sum = weights.reduceRight((total, weight) => total + weight, 0)
  let brier = 0
  for (const [option, weight] of weights.entries()) brier += (weight / sum - (option === truth ? 1 : 0)) ** 2
  return {
    group,
    confidence: 1 / sum,
    correct,
    nll: Math.log(sum) + (highest - (scaled[truth] ?? highest)),
    brier,
  }
}

/** `judge` of the shifted row but for the last digits, without making one: a fit with offsets does this most. */
export const judgeAt = (row: Row, { offsets, temperature }: Scale): Judged => {
  if (offsets === undefined) return judge(row, temperature)
  const { group, placed, place } = row
  const logitAt = (option: number) => (placed[option] ?? 0) + (offsets[option] ?? 0)
  let answer = 0
  for (let option = 1; option < placed.length; option++)
    if (logitAt(option) > logitAt(answer)) answer = option
  const highest = logitAt(answer)
  let sum = 0
  for (let option = 0; option < placed.length; option++)
    sum += Math.exp((logitAt(option) - highest) / temperature)
  let brier = 0
  for (let option = 0; option < placed.length; option++) {
    const probability = Math.exp((logitAt(option) - highest) / temperature) / sum
    brier += (probability - (option === place ? 1 : 0)) ** 2
  }
  return {
    group,
    confidence: 1 / sum,
    correct: answer === place,
    nll: Math.log(sum) + (highest - logitAt(place)) / temperature,
    brier,
  }
}
