// Does the abstention cutoff keep its promise? `npm run simulate:calibration` fits thousands of synthetic data
// sets whose truth is known and prints how often the true error ends up above the target: at most one fit in ten
// for the certified cutoff, compared with the naive rule (loosest cutoff whose error on the examples is on target).
import { fewestTrials } from '../src/calibration/clopper-pearson.ts'
import { CONFIDENCE } from '../src/calibration/error-bounds.ts'
import { accuracyOf, populate, simulate } from '../src/calibration/simulation/promise.ts'
import { KINDS_TARGET, KINDS_WORLDS, WORLDS } from '../src/calibration/simulation/worlds.ts'
import { percent } from './calibrate/table.ts'
import { readCommandLine, refuse, wholeNumber } from './command-line.ts'

const USAGE = `Usage: npm run simulate:calibration -- [--fits 500] [--worlds <part of a name>] [--offsets] [--most-examples 5000]
Fits so many synthetic data sets a row, in the worlds with such a name, and prints how often a cutoff breaks its promise.`
const { values: asked } = readCommandLine(USAGE, {
  fits: { type: 'string', default: '500' },
  worlds: { type: 'string', default: '' },
  offsets: { type: 'boolean', default: false },
  'most-examples': { type: 'string', default: '5000' },
})
const FITS = wholeNumber(asked.fits, USAGE)
const MOST = wholeNumber(asked['most-examples'], USAGE)
const EXAMPLES = [200, 500, 1_000, 5_000]
const TARGETS = [0.02, 0.05, 0.1]
const PROMISE = 0.1
/** A row above this share is near enough to the promise to be repeated with ten times the fits. */
const NEAR = 0.09
/** One that breaks it in exactly one fit in ten may still land above by chance; three deviations are not chance. */
const BEYOND_CHANCE = PROMISE + 3 * Math.sqrt((PROMISE * (1 - PROMISE)) / (10 * FITS))
const ERRORS = [0, 1, 2, 5, 10]

// The seed of a world is its place among all of them, whichever are asked for.
const named = [
  ...WORLDS.map(one => ({ ...one, sizes: EXAMPLES, targets: TARGETS })),
  ...KINDS_WORLDS.map(one => ({ ...one, sizes: one.examples, targets: [KINDS_TARGET] })),
]
  .map((trial, index) => ({ ...trial, seed: 10_000 * index }))
  .filter(({ name }) => name.includes(asked.worlds))
if (named.length === 0) refuse(`There is no world with '${asked.worlds}' in its name`, USAGE)
const trials = named
  .map(trial => ({ ...trial, sizes: trial.sizes.filter(size => size <= MOST) }))
  .filter(({ sizes }) => sizes.length > 0)
// With nothing simulated, no promise would be broken.
if (trials.length === 0) refuse(`No row has as few as ${MOST} examples`, USAGE)

console.log('Fewest answered examples that certify a target, by how many of them are wrong:\n')
console.log(`| target | ${ERRORS.map(errors => `${errors} wrong`).join(' | ')} |`)
console.log(`|---|${ERRORS.map(() => '---|').join('')}`)
for (const targetError of [0.01, 0.02, 0.03, 0.05, 0.1, 0.2]) {
  const counts = ERRORS.map(errors => fewestTrials(errors, targetError, CONFIDENCE).toLocaleString('en'))
  console.log(`| ${percent(targetError)} | ${counts.join(' | ')} |`)
}

console.log(
  `\n${FITS} fits per row, ${10 * FITS} where more than ${percent(NEAR)} are broken. ` +
    '"broken": the true error among the answers given is above the target.\n',
)
console.log(
  '| world | accuracy | examples | target | certified: broken | always abstains | mean coverage | naive: broken | mean coverage |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
let worst = 0
for (const { name, world, sizes, targets, seed: ofWorld } of trials) {
  const population = populate(world, 10_000, 1)
  const accuracy = accuracyOf(population).toFixed(2)
  for (const examples of sizes) {
    const seed = ofWorld + examples
    const trial = { examples, targets, fits: FITS, seed, offsets: asked.offsets }
    const results = simulate(world, population, trial).flatMap(result =>
      result.certified.broken > NEAR
        ? simulate(world, population, {
            ...trial,
            targets: [result.targetError],
            fits: 10 * FITS,
            seed: seed + 1,
          })
        : [result],
    )
    for (const { targetError, certified, naive } of results) {
      worst = Math.max(worst, certified.broken)
      const cells = [
        name,
        accuracy,
        examples.toLocaleString('en'),
        percent(targetError),
        percent(certified.broken),
        percent(certified.silent),
        percent(certified.coverage),
        percent(naive.broken),
        percent(naive.coverage),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
}
console.log(
  `\nWorst row of the certified cutoff: ${percent(worst)} (promised: at most ${percent(PROMISE)}; ` +
    `beyond chance: above ${percent(BEYOND_CHANCE)}).`,
)
process.exitCode = worst > BEYOND_CHANCE ? 1 : 0
