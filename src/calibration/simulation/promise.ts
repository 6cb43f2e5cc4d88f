import { acceptancePrefixes, certifyCutoff } from '../cutoff.ts'
import { crossFit } from '../fit.ts'
import { dealFolds } from '../folds.ts'
import type { Judged } from '../row.ts'
import { seededRandom } from './random.ts'
import { drawCase, drawRows, type World } from './world.ts'

// Does the cutoff keep its promise? Fit many times on fresh examples of a known world, and look up the true error.

export type Tally = {
  /** Share of fits whose true error among what they answer is above the target. */
  broken: number
  /** Share of fits that certify nothing and always abstain. */
  silent: number
  /** Mean true share of cases answered. */
  coverage: number
}

/** A large sample of the world, judged by its true probabilities instead of drawn labels. */
export type Population = { logits: readonly number[]; wrong: number }[]

export const populate = (world: World, size: number, seed: number): Population => {
  const random = seededRandom(seed)
  return Array.from({ length: size }, () => {
    const { logits, truth } = drawCase(world, random)
    return { logits, wrong: 1 - (truth[logits.indexOf(Math.max(...logits))] ?? 0) }
  })
}

export const accuracyOf = (population: Population): number =>
  1 - population.reduce((sum, { wrong }) => sum + wrong, 0) / population.length

export type Trial = { examples: number; targets: readonly number[]; fits: number; seed: number }
export type Result = { targetError: number; certified: Tally; naive: Tally }

/** The shipped rule and the naive one, on the same fits. */
export const simulate = (
  world: World,
  population: Population,
  { examples, targets, fits, seed }: Trial,
): Result[] => {
  const random = seededRandom(seed)
  const outcomes = targets.map(targetError => ({
    targetError,
    certified: [] as Outcome[],
    naive: [] as Outcome[],
  }))
  for (let count = 0; count < fits; count++) {
    const { temperature, orders } = crossFit(dealFolds(drawRows(world, examples, random)))
    const confidences = population.map(({ logits }) => topProbability(logits, temperature))
    for (const { targetError, certified, naive } of outcomes) {
      certified.push(outcome(certifyCutoff(orders, targetError), population, confidences))
      naive.push(outcome(naiveCutoff(orders[0], targetError), population, confidences))
    }
  }
  return outcomes.map(({ targetError, certified, naive }) => ({
    targetError,
    certified: tally(certified, targetError),
    naive: tally(naive, targetError),
  }))
}

/** The loosest cutoff whose error on the examples themselves is within the target. */
const naiveCutoff = (judged: readonly Judged[], targetError: number): number | null =>
  acceptancePrefixes(judged).findLast(({ wrongRows, rows }) => wrongRows / rows <= targetError)?.threshold ??
  null

type Outcome = { coverage: number; error: number }

const outcome = (cutoff: number | null, population: Population, confidences: readonly number[]): Outcome => {
  let answered = 0
  let wrong = 0
  for (const [index, member] of population.entries()) {
    if (cutoff === null || (confidences[index] ?? 0) < cutoff) continue
    answered += 1
    wrong += member.wrong
  }
  return { coverage: answered / population.length, error: answered === 0 ? 0 : wrong / answered }
}

const topProbability = (logits: readonly number[], temperature: number): number => {
  const highest = Math.max(...logits)
  return 1 / logits.reduce((sum, logit) => sum + Math.exp((logit - highest) / temperature), 0)
}

const tally = (outcomes: readonly Outcome[], targetError: number): Tally => {
  const share = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length
  return {
    broken: share(({ error }) => (error > targetError ? 1 : 0)),
    silent: share(({ coverage }) => (coverage === 0 ? 1 : 0)),
    coverage: share(({ coverage }) => coverage),
  }
}
