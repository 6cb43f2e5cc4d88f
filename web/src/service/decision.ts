// A decision as the pages show it.
import { isObject, type JsonObject } from '../../../src/json/json.ts'
import { compact } from '../../../src/json/writer.ts'
import { arrayIn, numberIn, numbersIn, objectIn, textIn } from './fields.ts'

/** An option as people read it (the option itself, yes or no, a level and its words) and its probability. */
type Share = { name: string; probability: number }

export type Verdict = {
  id: string
  type: 'choice' | 'noul' | 'score'
  /** What the answer says: the name of `top`. */
  headline: string
  shares: readonly Share[]
  /** The likeliest of `shares`. */
  top: Share | undefined
  /** For a noul, which has no confidence of its own, the normalized one. */
  confidence: number
  /** Expected level of a score, and the highest one. */
  score: { value: number; highest: number } | null
  /** Null if the answer is not calibrated. */
  abstain: boolean | null
  /** Whether it was asked with a profile that does not cover its question. */
  uncovered: boolean
  /** Whether nobody should rely on it: it abstains or, if it is not calibrated, its confidence is low. */
  unsure: boolean
}

/** Of two options, 65:35 is as unsure. */
const UNSURE_BELOW = 0.3

type Tokens = { input: number; state: number; question: number; framing: number; cached: number }

export type Decision = {
  model: string
  verdicts: readonly Verdict[]
  tokens: Tokens
  costUsd: number
  latencyMs: number
  warnings: readonly string[]
}

/** `profiled` says whether it was asked with a profile. */
export const decisionOf = (body: JsonObject, profiled: boolean): Decision => ({
  model: textIn(body, 'model'),
  verdicts: [...objectIn(body, 'answers')].flatMap(([id, answer]) =>
    isObject(answer) ? [verdictOf(id, answer, profiled)] : [],
  ),
  tokens: tokensOf(objectIn(body, 'usage')),
  costUsd: numberIn(objectIn(body, 'usage'), 'cost_usd'),
  latencyMs: numberIn(body, 'latency_ms'),
  warnings: arrayIn(body, 'warnings').filter(warning => typeof warning === 'string'),
})

const tokensOf = (usage: JsonObject): Tokens => ({
  input: numberIn(usage, 'input_tokens'),
  state: numberIn(usage, 'state_tokens'),
  question: numberIn(usage, 'question_tokens'),
  framing: numberIn(usage, 'framing_tokens'),
  cached: numberIn(usage, 'cached_tokens'),
})

const verdictOf = (id: string, answer: JsonObject, profiled: boolean): Verdict => {
  const type = textIn(answer, 'type') as Verdict['type']
  const legend = objectIn(answer, 'legend')
  const probabilities = numbersIn(answer, 'probabilities')
  // Yes above no, as people say it.
  if (type === 'noul') probabilities.sort(([a], [b]) => Number(b === 'true') - Number(a === 'true'))
  const shares = probabilities.map(([key, probability]) => ({ name: nameOf(type, key, legend), probability }))
  const [top] = likeliest(shares)
  const metadata = objectIn(answer, 'decider')
  const abstains = metadata.get('abstain')
  const abstain = typeof abstains === 'boolean' ? abstains : null
  const confidence =
    type === 'noul' ? numberIn(metadata, 'confidence_normalized') : numberIn(answer, 'confidence')
  return {
    id,
    type,
    headline: top?.name ?? '',
    shares,
    top,
    confidence,
    score: type === 'score' ? { value: numberIn(answer, 'score'), highest: shares.length - 1 } : null,
    abstain,
    uncovered: profiled && abstain === null,
    unsure: abstain ?? confidence < UNSURE_BELOW,
  }
}

/** The likeliest first; ties keep their order. */
export const likeliest = (shares: readonly Share[]): Share[] =>
  shares.toSorted((a, b) => b.probability - a.probability)

const nameOf = (type: Verdict['type'], key: string, legend: JsonObject): string => {
  if (type === 'noul') return key === 'true' ? 'Yes' : 'No'
  if (type === 'choice') return key
  const level = legend.get(key) ?? null
  return `${key} · ${typeof level === 'string' ? level : compact(level)}`
}
