import type { Scale } from '../profiles/profile.ts'
import { type Row, shifted } from './row.ts'
import { fitTemperature } from './temperature.ts'

/** Pull of each offset towards 0, in nats: half a nat for an offset that multiplies the odds of its option by e. */
const OFFSET_PULL = 0.5
/** The longest step of an offset. Odds stay finite: no offset that lowers the objective is near a hundred. */
const LONGEST_STEP = 2
const PRECISE = 1e-4
const MOST_STEPS = 200
/** Between two options, the diagonal sees half of the curvature: a whole step goes twice as far as it should. */
const FIRST_STRIDE = 0.5
/** Finer than any label can tell, and short in a token. */
const DECIMALS = 1_000

/** The temperature that fits the rows best; if asked for, with an offset for each option. */
export const fitScale = (rows: readonly Row[], withOffsets: boolean): Scale => {
  const temperature = fitTemperature(rows)
  if (!withOffsets || rows.length === 0) return { temperature }
  // To fit both in turn a second time moves the log loss by a few hundredths of what the first time does.
  const offsets = fitOffsets(rows, temperature).map(
    offset => Math.round(offset * temperature * DECIMALS) / DECIMALS,
  )
  return { offsets, temperature: fitTemperature(rows.map(row => shifted(row, offsets))) }
}

/**
 * The offsets b, in the order of the question's signature, that minimise Σ nll(logits / T + b) + OFFSET_PULL · Σ b².
 * They move how often each option is expected towards how often it is right.
 *
 * Newton's method with the diagonal of the second derivatives alone: that of 1,000 options would be a million numbers.
 * Steps that overshoot are taken back and shortened, so the objective never rises.
 */
export const fitOffsets = (rows: readonly Row[], temperature: number): number[] => {
  const options = rows[0]?.placed.length ?? 0
  const odds = oddsOf(rows, options, temperature)
  const seen = new Float64Array(options)
  for (const { place } of rows) seen[place] = (seen[place] ?? 0) + 1
  let offsets = Array.from(seen, () => 0)
  let here = slopeAt(odds, seen, offsets)
  let stride = FIRST_STRIDE
  for (let step = 0; step < MOST_STEPS && stride > PRECISE; step++) {
    const next = centred(offsets.map((offset, place) => offset + stride * (here.steps[place] ?? 0)))
    const there = slopeAt(odds, seen, next)
    if (there.cost > here.cost) {
      stride /= 2
      continue
    }
    const furthest = Math.max(...next.map((offset, place) => Math.abs(offset - (offsets[place] ?? 0))))
    offsets = next
    here = there
    if (furthest < PRECISE) break
  }
  return offsets
}

/** What all offsets have in common changes no probability, and the pull alone would take long to remove it. */
const centred = (offsets: readonly number[]): number[] => {
  const common = offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length
  return offsets.map(offset => offset - common)
}

/**
 * What the probabilities are proportional to before any offset: row after row, each in the order of the question's
 * signature. One array, because a fit of many questions would otherwise make millions.
 */
const oddsOf = (rows: readonly Row[], options: number, temperature: number): Float64Array => {
  const odds = new Float64Array(rows.length * options)
  for (const [row, { placed, logits }] of rows.entries()) {
    const highest = logits[0] ?? 0
    for (let option = 0; option < options; option++)
      odds[row * options + option] = Math.exp(((placed[option] ?? 0) - highest) / temperature)
  }
  return odds
}

/** The objective, but for a constant, and the Newton step of each offset. */
const slopeAt = (odds: Float64Array, seen: Float64Array, offsets: readonly number[]) => {
  const options = offsets.length
  const factors = Float64Array.from(offsets, Math.exp)
  const expected = new Float64Array(options)
  const curvature = new Float64Array(options)
  let cost = 0
  for (let first = 0; first < odds.length; first += options) {
    let sum = 0
    for (let option = 0; option < options; option++)
      sum += (odds[first + option] ?? 0) * (factors[option] ?? 1)
    cost += Math.log(sum)
    for (let option = 0; option < options; option++) {
      const probability = ((odds[first + option] ?? 0) * (factors[option] ?? 1)) / sum
      expected[option] = (expected[option] ?? 0) + probability
      curvature[option] = (curvature[option] ?? 0) + probability * (1 - probability)
    }
  }
  const steps = offsets.map((offset, place) => {
    const rows = seen[place] ?? 0
    cost += OFFSET_PULL * offset * offset - rows * offset
    const missing = rows - (expected[place] ?? 0) - 2 * OFFSET_PULL * offset
    const newton = missing / ((curvature[place] ?? 0) + 2 * OFFSET_PULL)
    return Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, newton))
  })
  return { cost, steps }
}
