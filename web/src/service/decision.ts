// A decision as the pages show it.
import { isObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { arrayIn, numberIn, numbersIn, objectIn, textIn } from './fields.ts'

export type Share = { key: string; probability: number; logit: number; description: Json }

export type Verdict = {
  id: string
  type: 'choice' | 'noul' | 'score'
  /** What the answer says in one word: the chosen option, yes or no, the expected level. */
  headline: string
  shares: readonly Share[]
  /** The likeliest of `shares`. */
  top: Share | undefined
  /** For a noul, which has no confidence of its own, the normalized one. */
  confidence: number
  /** Expected level of a score, and the highest one. */
  score: { value: number; highest: number } | null
  calibrated: boolean
  abstain: boolean | null
}

type Tokens = { input: number; state: number; question: number; framing: number; cached: number }

export type Decision = {
  model: string
  verdicts: readonly Verdict[]
  tokens: Tokens
  costUsd: number
  latencyMs: number
  warnings: readonly string[]
}

export const decisionOf = (body: JsonObject): Decision => ({
  model: textIn(body, 'model'),
  verdicts: [...objectIn(body, 'answers')].flatMap(([id, answer]) =>
    isObject(answer) ? [verdictOf(id, answer)] : [],
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

const verdictOf = (id: string, answer: JsonObject): Verdict => {
  const type = textIn(answer, 'type') as Verdict['type']
  const logits = new Map(numbersIn(answer, 'logits'))
  const legend = objectIn(answer, 'legend')
  const shares = numbersIn(answer, 'probabilities').map(([key, probability]) => ({
    key,
    probability,
    logit: logits.get(key) ?? 0,
    description: legend.get(key) ?? null,
  }))
  // Yes above no, as people say it.
  if (type === 'noul') shares.sort((a, b) => Number(b.key === 'true') - Number(a.key === 'true'))
  const metadata = objectIn(answer, 'decider')
  const abstain = metadata.get('abstain')
  return {
    id,
    type,
    headline: headlineOf(type, answer),
    shares,
    top: likeliest(shares)[0],
    confidence:
      type === 'noul' ? numberIn(metadata, 'confidence_normalized') : numberIn(answer, 'confidence'),
    score: type === 'score' ? { value: numberIn(answer, 'score'), highest: shares.length - 1 } : null,
    calibrated: metadata.get('calibrated') === true,
    abstain: typeof abstain === 'boolean' ? abstain : null,
  }
}

/** The likeliest first; ties keep their order. */
export const likeliest = (shares: readonly Share[]): Share[] =>
  shares.toSorted((a, b) => b.probability - a.probability)

const headlineOf = (type: Verdict['type'], answer: JsonObject): string => {
  if (type === 'choice') return textIn(answer, 'choice')
  if (type === 'noul') return numberIn(answer, 'noul') >= 0.5 ? 'Yes' : 'No'
  return numberIn(answer, 'score').toFixed(2)
}
