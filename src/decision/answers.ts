import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { present } from '../present.ts'
import { accepts, type Rule, type Scale } from '../profiles/profile.ts'
import { concentration, normalized } from './confidence.ts'
import type { Answer, AnswerMetadata } from './decision.ts'
import { atTemperature, averaged, type Spread, spreadOf, topOf, withOffsets } from './distribution.ts'
import { optionNames } from './option-names.ts'
import type { Question, ScoreQuestion } from './question.ts'
import { signaturePlaces } from './question-wording.ts'

/** One logit per option in the question's order, [true, false] for noul; the second pass in the same order. */
type Scores = { logits: readonly number[]; reversed: readonly number[] | null }

/** Throws unless each option has exactly one logit in each pass. */
export const answerTo = (question: Question, scores: Scores, rule: Rule | null): Answer => {
  const options = optionNames(question)
  if ([scores.logits, scores.reversed ?? scores.logits].some(({ length }) => length !== options.length)) {
    throw new RangeError('a question needs one logit per option')
  }
  const raw = scores.reversed === null ? scores.logits : averaged(scores.logits, scores.reversed)
  const logits = rule === null ? raw : scaled(question, raw, rule)
  const spread = spreadOf(logits)
  switch (question.type) {
    case 'choice':
      return choiceAnswer(options, spread, rule)
    case 'noul':
      return noulAnswer(spread, rule)
    case 'score':
      return scoreAnswer(question.criteria, options, spread, rule)
  }
}

const scaled = (
  question: Question,
  logits: readonly number[],
  { offsets, temperature }: Scale,
): readonly number[] =>
  atTemperature(
    offsets === undefined ? logits : withOffsets(logits, offsets, signaturePlaces(question)),
    temperature,
  )

const choiceAnswer = (keys: readonly string[], spread: Spread, rule: Rule | null): Answer => {
  const { index, value } = topOf(spread.probabilities)
  const confidence = normalized(value, keys.length)
  return {
    type: 'choice',
    choice: present(keys[index], 'an option'),
    probabilities: new KeyedByCaller(named(keys, spread.probabilities)),
    logits: new KeyedByCaller(named(keys, spread.logits)),
    confidence,
    decider: metadata(value, confidence, rule),
  }
}

const noulAnswer = (spread: Spread, rule: Rule | null): Answer => {
  const yes = present(spread.probabilities[0], 'a probability')
  const [logitOfYes, logitOfNo] = spread.logits
  const top = Math.max(yes, 1 - yes)
  return {
    type: 'noul',
    noul: yes,
    probabilities: new Map([
      ['false', 1 - yes],
      ['true', yes],
    ]),
    logits: new Map([
      ['false', present(logitOfNo, 'a logit')],
      ['true', present(logitOfYes, 'a logit')],
    ]),
    decider: metadata(top, Math.abs(2 * yes - 1), rule),
  }
}

const scoreAnswer = (
  levels: ScoreQuestion['criteria'],
  names: readonly string[],
  spread: Spread,
  rule: Rule | null,
): Answer => {
  const { index, value } = topOf(spread.probabilities)
  const mean = spread.probabilities.reduce((sum, probability, level) => sum + level * probability, 0)
  return {
    type: 'score',
    score: Math.min(mean, levels.length - 1),
    legend: new Map(named(names, levels)),
    probabilities: new Map(named(names, spread.probabilities)),
    logits: new Map(named(names, spread.logits)),
    confidence: concentration(spread.probabilities, index),
    decider: metadata(value, normalized(value, levels.length), rule),
  }
}

const metadata = (top: number, confidenceNormalized: number, rule: Rule | null): AnswerMetadata => ({
  calibrated: rule !== null,
  p_top: top,
  abstain: rule === null ? null : !accepts(rule, top),
  confidence_winning: top,
  confidence_normalized: confidenceNormalized,
})

const named = <Value>(names: readonly string[], values: readonly Value[]): [name: string, Value][] =>
  names.map((name, option) => [name, present(values[option], 'what belongs to an option')])
