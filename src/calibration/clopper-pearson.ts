// The exact confidence bounds on an error rate. Written by hand because the two packages that offer an
// inverse incomplete beta pull in whole numeric libraries for these sixty lines, and stop at 1e-8. test/reference
// holds ours to within 1e-9 of SciPy's beta.ppf.

/**
 * The largest error rate that `errors` wrong out of `trials` still leave plausible: if the true rate were
 * higher, so few errors would be seen with a probability below 1 − confidence.
 */
export const upperErrorBound = (errors: number, trials: number, confidence: number): number =>
  errors >= trials ? 1 : inverseIncompleteBeta(confidence, errors + 1, trials - errors)

/** Is that rate at most `limit`? Much cheaper than the rate itself: nothing needs to be inverted. */
export const isErrorWithin = (limit: number, errors: number, trials: number, confidence: number): boolean =>
  errors < trials && incompleteBeta(limit, errors + 1, trials - errors) >= confidence

/** The smallest error rate that they still leave plausible: the largest share that can be right, turned round. */
export const lowerErrorBound = (errors: number, trials: number, confidence: number): number =>
  1 - upperErrorBound(trials - errors, trials, confidence)

/** How many trials it takes to bring the bound within `targetError` when `errors` of them are wrong. */
export const fewestTrials = (errors: number, targetError: number, confidence: number): number => {
  const withoutErrors = Math.ceil(Math.log1p(-confidence) / Math.log1p(-targetError))
  if (errors === 0) return withoutErrors
  let low = withoutErrors
  let high = 2 * withoutErrors
  while (!isErrorWithin(targetError, errors, high, confidence)) {
    low = high
    high *= 2
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isErrorWithin(targetError, errors, middle, confidence)) high = middle
    else low = middle
  }
  return high
}

/** x such that I_x(a, b) = p, by Newton's method, bisecting whenever a step would leave the bracket. */
const inverseIncompleteBeta = (p: number, a: number, b: number): number => {
  const logBeta = logBetaOf(a, b)
  let low = 0
  let high = 1
  let x = a / (a + b)
  for (let step = 0; step < 200; step++) {
    const miss = incompleteBeta(x, a, b, logBeta) - p
    if (miss === 0) return x
    if (miss > 0) high = x
    else low = x
    const density = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta)
    const newton = x - miss / density
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - x) <= 4 * Number.EPSILON * x) return next
    x = next
  }
  return x
}

/** The regularised incomplete beta function I_x(a, b), on the side where its continued fraction converges fast. */
const incompleteBeta = (x: number, a: number, b: number, logBeta = logBetaOf(a, b)): number => {
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta)
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Continued fraction of DLMF 8.17.22, evaluated by Lentz's method. */
const betaFraction = (x: number, a: number, b: number): number => {
  const TINY = 1e-300
  const awayFromZero = (value: number) => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    value *= c * d
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    value *= c * d
    if (Math.abs(c * d - 1) < Number.EPSILON) break
  }
  return value
}

const logBetaOf = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** ln Γ(x) for x > 0: Stirling's series (DLMF 5.11.1), after raising x to where six terms suffice. */
const logGamma = (x: number): number => {
  let shift = 0
  let z = x
  while (z < 15) {
    shift += Math.log(z)
    z += 1
  }
  const w = 1 / (z * z)
  const series =
    1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - (w * 691) / 360_360))))
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series / z - shift
}
