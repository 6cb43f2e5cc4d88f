import { withOffsets } from '../../decision/distribution.ts'
import { accepts, type Scale } from '../../profiles/profile.ts'
import { acceptancePrefixes, certifyCutoff } from '../cutoff.ts'
import { crossFit } from '../fit.ts'
import { dealFolds } from '../folds.ts'
import type { Judged } from '../row.ts'
import type { Draw } from './draw.ts'
import { seededRandom } from './random.ts'
import { drawCase, drawRows, type World } from './world.ts'

// Does the cutoff keep its promise? Fit many times on fresh examples of a known world, and look up the true error.

type Shares = {
  /** Share of fits whose true error among what they answer is above the target. */
  broken: number
  /** Share of fits that certify nothing and always abstain. */
  silent: number
  /** Mean true share of cases answered. */
  coverage: number
}

/** A large sample of the world, judged by its true probabilities instead of drawn labels. */
type Population = Draw[]

export const populate = (world: World, size: number, seed: number): Population => {
  const random = seededRandom(seed)
  return Array.from({ length: size }, () => drawCase(world, random))
}

export const accuracyOf = (population: Population): number => {
  const answers = answered(population, { temperature: 1 })
  return 1 - answers.reduce((sum, { wrong }) => sum + wrong, 0) / population.length
}

/** How many examples, with or without offsets, are fitted how often. */
type Trial = {
  examples: number
  targets: readonly number[]
  fits: number
  seed: number
  offsets?: boolean
}
type Result = { targetError: number; certified: Shares; naive: Shares }

/** The shipped rule and the naive one, on the same fits. */
export const simulate = (
  world: World,
  population: Population,
  { examples, targets, fits, seed, offsets = false }: Trial,
): Result[] => {
  const random = seededRandom(seed)
  const outcomes = targets.map(targetError => ({
    targetError,
    certified: [] as Outcome[],
    naive: [] as Outcome[],
  }))
  for (let count = 0; count < fits; count++) {
    const rows = dealFolds(drawRows(world, examples, random), offsets)
    const { scale, shipped, others } = crossFit(rows, offsets)
    const answers = answered(population, scale)
    for (const { targetError, certified, naive } of outcomes) {
      certified.push(outcome(certifyCutoff(shipped, others, targetError), answers))
      naive.push(outcome(naiveCutoff(shipped, targetError), answers))
    }
  }
  return outcomes.map(({ targetError, certified, naive }) => ({
    targetError,
    certified: sharesOf(certified, targetError),
    naive: sharesOf(naive, targetError),
  }))
}

/** The loosest cutoff whose error on the examples themselves is within the target. */
const naiveCutoff = (judged: readonly Judged[], targetError: number): number | null =>
  acceptancePrefixes(judged).findLast(({ wrongRows, rows }) => wrongRows / rows <= targetError)?.threshold ??
  null

type Outcome = { coverage: number; error: number }

const outcome = (cutoff: number | null, answers: readonly Answered[]): Outcome => {
  let given = 0
  let wrong = 0
  for (const answer of answers) {
    if (!accepts({ cutoff }, answer.confidence)) continue
    given += 1
    wrong += answer.wrong
  }
  return { coverage: given / answers.length, error: given === 0 ? 0 : wrong / given }
}

/** The confidence of an answer, and how likely it is to be wrong. */
type Answered = { confidence: number; wrong: number }

const answered = (population: Population, { offsets, temperature }: Scale): Answered[] =>
  population.map(({ logits, truth }) => {
    const moved = offsets === undefined ? logits : withOffsets(logits, offsets)
    const highest = Math.max(...moved)
    const sum = moved.reduce((total, logit) => total + Math.exp((logit - highest) / temperature), 0)
    return { confidence: 1 / sum, wrong: 1 - (truth[moved.indexOf(highest)] ?? 0) }
  })

const sharesOf = (outcomes: readonly Outcome[], targetError: number): Shares => {
  const share = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length
  return {
    broken: share(({ error }) => (error > targetError ? 1 : 0)),
    silent: share(({ coverage }) => (coverage === 0 ? 1 : 0)),
    coverage: share(({ coverage }) => coverage),
  }
}
