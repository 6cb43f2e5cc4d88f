import { acceptancePrefixes } from '../cutoff.ts'
import { fitRule, type Rule } from '../fit.ts'
import { dealFolds } from '../folds.ts'
import { type Draw, drawCase, drawRows, seededRandom, type World } from './world.ts'

// Does the cutoff keep its promise? Fit many times on fresh examples of a known world, and look up the true error.

export type Tally = {
  fits: number
  /** Share of fits whose true error among what they answer is above the target. */
  broken: number
  /** Share of fits that certify nothing and abstain always. */
  silent: number
  /** Mean true share of cases answered. */
  coverage: number
}

/** A large sample of the world, judged by its true probabilities instead of drawn labels. */
export type Population = { case: Draw; wrong: number }[]

export const populate = (world: World, size: number, seed: number): Population => {
  const random = seededRandom(seed)
  return Array.from({ length: size }, () => {
    const drawn = drawCase(world, random)
    return { case: drawn, wrong: 1 - (drawn.truth[drawn.logits.indexOf(Math.max(...drawn.logits))] ?? 0) }
  })
}

export const accuracyOf = (population: Population): number =>
  1 - population.reduce((sum, { wrong }) => sum + wrong, 0) / population.length

/** The shipped rule and the naive one, on the same fits. */
export const simulate = (
  world: World,
  population: Population,
  {
    examples,
    targetError,
    fits,
    seed,
  }: { examples: number; targetError: number; fits: number; seed: number },
): { certified: Tally; naive: Tally } => {
  const random = seededRandom(seed)
  const certified: Outcome[] = []
  const naive: Outcome[] = []
  for (let count = 0; count < fits; count++) {
    const { rule, outOfFold } = fitRule(dealFolds(drawRows(world, examples, random)), targetError)
    const confidences = population.map(member => topProbability(member.case.logits, rule.temperature))
    certified.push(outcome(rule, population, confidences))
    const loosest = acceptancePrefixes(outOfFold).findLast(
      ({ wrongRows, rows }) => wrongRows / rows <= targetError,
    )
    naive.push(outcome({ ...rule, cutoff: loosest?.threshold ?? null }, population, confidences))
  }
  return { certified: tally(certified, targetError), naive: tally(naive, targetError) }
}

type Outcome = { coverage: number; error: number }

const outcome = ({ cutoff }: Rule, population: Population, confidences: readonly number[]): Outcome => {
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
    fits: outcomes.length,
    broken: share(({ error }) => (error > targetError ? 1 : 0)),
    silent: share(({ coverage }) => (coverage === 0 ? 1 : 0)),
    coverage: share(({ coverage }) => coverage),
  }
}
