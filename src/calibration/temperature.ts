import { judge, type Row } from './row.ts'

export const LOWEST_TEMPERATURE = 0.05
export const HIGHEST_TEMPERATURE = 20
const LOWEST = Math.log(LOWEST_TEMPERATURE)
const HIGHEST = Math.log(HIGHEST_TEMPERATURE)
/** Pull towards 1, in nats per squared unit of ln T: half a nat in total at T = e, whatever the number of rows. */
export const PULL = 0.5
/** In ln T: the search goes no finer. */
const PRECISE = 1e-12

/**
 * The temperature T that minimises Σ nll(T) + PULL · (ln T)² within the bounds. The pull decides only where the rows
 * do not: no rows, or only one option, give 1, and rows that are all right (or all wrong) stay within the bounds.
 */
export const fitTemperature = (rows: readonly Row[]): number => {
  // The likelihood is concave in 1/T: if the slope at the highest temperature leads there, it does so everywhere.
  if (slopeAt(rows, HIGHEST).slope <= 0) return HIGHEST_TEMPERATURE
  const valley = valleyNearOne(rows)
  // Rows may favour the lowest while the pull favours the middle: then each lies in a valley of its own.
  const another = slopeAt(rows, LOWEST).slope >= 0
  return another && costAt(rows, LOWEST_TEMPERATURE) < costAt(rows, valley) ? LOWEST_TEMPERATURE : valley
}

/** Where walking downhill from 1 ends, within the bounds. */
const valleyNearOne = (rows: readonly Row[]): number => {
  let low = LOWEST
  let high = HIGHEST
  // Newton's method on the slope over u = ln T, bisecting whenever a step would leave the bracket or is at least half
  // as long as the last: between a steep side and a flat one, steps would go back and forth for ever.
  let u = 0
  let stride = high - low
  for (let step = 0; step < 100; step++) {
    const { slope, curvature } = slopeAt(rows, u)
    if (slope > 0) high = u
    else low = u
    const newton = u - slope / curvature
    const length = Math.abs(newton - u)
    // At the minimum the step leads no further than the end of the bracket, which is no reason to bisect.
    if (length < PRECISE) break
    const next = length < stride / 2 && newton > low && newton < high ? newton : (low + high) / 2
    stride = Math.abs(next - u)
    if (stride < PRECISE) break
    u = next
  }
  return Math.exp(u)
}

/** The objective. */
const costAt = (rows: readonly Row[], temperature: number): number =>
  rows.reduce((sum, row) => sum + judge(row, temperature).nll, 0) + PULL * Math.log(temperature) ** 2

/** Its first and second derivatives with respect to u = ln T. */
const slopeAt = (rows: readonly Row[], u: number): { slope: number; curvature: number } => {
  const temperature = Math.exp(u)
  let slope = 2 * PULL * u
  let curvature = 2 * PULL
  for (const { logits, truth } of rows) {
    const highest = logits[0] ?? 0
    // Mean and variance of the distance below the highest logit, under the scaled distribution. The highest comes
    // first: its weight is 1 and its distance 0.
    let sum = 1
    let first = 0
    let second = 0
    for (let option = 1; option < logits.length; option++) {
      const below = ((logits[option] ?? highest) - highest) / temperature
      const weight = Math.exp(below)
      sum += weight
      first += weight * below
      second += weight * below * below
    }
    const mean = first / sum
    const surplus = ((logits[truth] ?? highest) - highest) / temperature - mean
    slope += surplus
    curvature += second / sum - mean * mean - surplus
  }
  return { slope, curvature }
}
