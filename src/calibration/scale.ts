import type { Scale } from '../profiles/profile.ts'
import { type Row, shifted } from './row.ts'
import { fitTemperature } from './temperature.ts'

/** Pull of each offset towards 0, in nats: half a nat for an offset that multiplies the odds of its option by e. */
export const OFFSET_PULL = 0.5
/** In the same unit. Further than any label can show, and small enough that odds stay finite. */
const MOST = 20
const PRECISE = 1e-5
const MOST_STEPS = 500
/** Finer than any label can tell, and short in a token. */
const DECIMALS = 1_000

/** The temperature that fits the rows best; if asked for, with an offset for each option. */
export const fitScale = (rows: readonly Row[], withOffsets: boolean): Scale => {
  const temperature = fitTemperature(rows)
  if (!withOffsets || rows.length === 0) return { temperature }
  // To fit both in turn a second time would move the log loss by less than a hundredth of what the first time does.
  const offsets = fitOffsets(rows, temperature).map(
    offset => Math.round(offset * temperature * DECIMALS) / DECIMALS,
  )
  return { offsets, temperature: fitTemperature(rows.map(row => shifted(row, offsets))) }
}

/**
 * The offsets b, in the order of the question's signature, that minimise Σ nll(logits / T + b) + OFFSET_PULL · Σ b².
 * They move how often each option is expected towards how often it is right.
 */
export const fitOffsets = (rows: readonly Row[], temperature: number): number[] => {
  const odds = rows.map(row => oddsOf(row, temperature))
  const options = odds[0]?.length ?? 0
  const seen = new Array<number>(options).fill(0)
  for (const { labelIndex, places } of rows) {
    const place = places?.[labelIndex] ?? labelIndex
    seen[place] = (seen[place] ?? 0) + 1
  }
  let offsets = new Array<number>(options).fill(0)
  for (let step = 0; step < MOST_STEPS; step++) {
    const expected = expectedOf(odds, offsets.map(Math.exp))
    const next = offsets.map((offset, place) => improved(offset, expected[place] ?? 0, seen[place] ?? 0))
    // What all offsets have in common changes no probability, and the pull alone would take long to remove it.
    const common = next.reduce((sum, offset) => sum + offset, 0) / options
    const furthest = Math.max(
      ...next.map((offset, place) => Math.abs(offset - common - (offsets[place] ?? 0))),
    )
    offsets = next.map(offset => offset - common)
    if (furthest < PRECISE) break
  }
  return offsets
}

/** What each option's probability is proportional to before any offset, in the order of the question's signature. */
const oddsOf = ({ own, places }: Row, temperature: number): Float64Array => {
  const highest = Math.max(...own)
  const odds = new Float64Array(own.length)
  for (const [option, logit] of own.entries())
    odds[places?.[option] ?? option] = Math.exp((logit - highest) / temperature)
  return odds
}

/** How many rows each option is expected to be right for, if its odds are multiplied by its factor. */
const expectedOf = (odds: readonly Float64Array[], factors: readonly number[]): Float64Array => {
  const expected = new Float64Array(factors.length)
  for (const row of odds) {
    let sum = 0
    for (let option = 0; option < row.length; option++) sum += (row[option] ?? 0) * (factors[option] ?? 1)
    for (let option = 0; option < row.length; option++)
      expected[option] = (expected[option] ?? 0) + ((row[option] ?? 0) * (factors[option] ?? 1)) / sum
  }
  return expected
}

/**
 * A step of generalised iterative scaling (Darroch and Ratcliff, 1972): the new offset solves
 * expected · exp(new − old) + 2 · OFFSET_PULL · new = seen. Stepping all offsets so at once never raises the objective.
 */
const improved = (offset: number, expected: number, seen: number): number => {
  let [low, high] = [-MOST, MOST]
  let next = offset
  // Newton's method on a rising function, bisecting whenever a step would leave the bracket.
  for (let step = 0; step < 100; step++) {
    const grown = expected * Math.exp(next - offset)
    const surplus = grown + 2 * OFFSET_PULL * next - seen
    if (surplus > 0) high = next
    else low = next
    const newton = next - surplus / (grown + 2 * OFFSET_PULL)
    const better = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(better - next) < PRECISE / 10) return better
    next = better
  }
  return next
}
