// Turns logits, one per option, into probabilities. Never rounded, and finite for any finite logits.

import { present } from '../present.ts'

export type Spread = { logits: readonly number[]; probabilities: readonly number[] }

export const spreadOf = (logits: readonly number[]): Spread => {
  const top = topOf(logits).value
  const powers = logits.map(logit => Math.exp(logit - top))
  const sum = totalOf(powers)
  return { logits, probabilities: powers.map(power => power / sum) }
}

/** The mean of two distributions; its logits are the logarithms of its probabilities. */
export const averaged = (one: readonly number[], other: readonly number[]): readonly number[] => {
  const others = logSoftmax(other)
  // In logarithms, so that an option that both passes call impossible keeps a finite logit.
  return logSoftmax(one).map((log, option) => {
    const otherLog = present(others[option], 'a logit')
    const top = Math.max(log, otherLog)
    return top + Math.log1p(Math.exp(-Math.abs(log - otherLog))) - Math.LN2
  })
}

/** Each logit with the offset of its option; `places` tells where among the offsets that is, if not in the same order. */
export const withOffsets = (
  logits: readonly number[],
  offsets: readonly number[],
  places?: readonly number[],
): readonly number[] =>
  logits.map((logit, option) => {
    const place = places === undefined ? option : present(places[option], 'a place')
    return logit + present(offsets[place], 'an offset')
  })

export const atTemperature = (logits: readonly number[], temperature: number): readonly number[] =>
  logits.map(logit => logit / temperature)

/** The first of the largest values. */
export const topOf = (values: readonly number[]): { index: number; value: number } => {
  let index = 0
  let value = Number.NEGATIVE_INFINITY
  values.forEach((candidate, at) => {
    if (candidate > value) {
      index = at
      value = candidate
    }
  })
  return { index, value }
}

const logSoftmax = (logits: readonly number[]): readonly number[] => {
  const top = topOf(logits).value
  const logSum = Math.log(totalOf(logits.map(logit => Math.exp(logit - top))))
  return logits.map(logit => logit - top - logSum)
}

/** Smallest first, whatever the order of the options: adding in another order would change the last digits. */
const totalOf = (values: readonly number[]): number =>
  Float64Array.from(values)
    .sort()
    .reduce((total, value) => total + value, 0)
