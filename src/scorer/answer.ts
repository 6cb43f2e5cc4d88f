import * as v from 'valibot'
import {
  MAX_LOGIT,
  type ScoreReply,
  type ScorerHealth,
  type ScoreUnit,
  type UnitQuestion,
} from '../../scorer/protocol.ts'
import { ScorerFailure } from './exchange.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Logit = v.custom<number>(value => typeof value === 'number' && Math.abs(value) <= MAX_LOGIT)
const Pass = v.object({ logits: v.array(Logit), questionTokens: count, framingTokens: count })

const Answer = v.object({
  units: v.array(
    v.variant('kind', [
      v.object({
        kind: v.literal('scored'),
        stateTokens: count,
        stateFramingTokens: count,
        cached: v.boolean(),
        questions: v.array(v.object({ ...Pass.entries, reversed: v.nullable(Pass) })),
      }),
      v.object({ kind: v.literal('state_too_long'), limit: count }),
      v.object({ kind: v.literal('instructions_too_long'), question: count, limit: count }),
      v.object({ kind: v.literal('unknown_snapshot') }),
      v.object({ kind: v.literal('within_limits') }),
    ]),
  ),
  runMs: v.number(),
})

const Health = v.object({
  ok: v.boolean(),
  ready: v.boolean(),
  // A scorer that is older than the edge may not say these.
  version: v.optional(v.string(), 'unknown'),
  protocol: v.optional(v.string(), 'unknown'),
  engine: v.string(),
  region: v.string(),
  snapshots: v.array(
    v.object({
      id: v.string(),
      released: v.string(),
      status: v.string(),
      base: v.string(),
      max_state_tokens: count,
      modalities: v.array(v.string()),
      retire_after: v.nullable(v.string()),
    }),
  ),
  aliases: v.record(v.string(), v.string()),
})

/**
 * The answer to these units, with every logit that was asked for and no others. Throws a ScorerFailure for nonsense,
 * and for a snapshot that only another scorer serves.
 */
export const readAnswer = (bytes: Uint8Array, units: readonly ScoreUnit[]): ScoreReply => {
  const answer: ScoreReply = read(Answer, bytes)
  const fits =
    answer.units.length === units.length &&
    units.every((unit, index) => {
      const scored = answer.units[index]
      if (scored?.kind === 'instructions_too_long') return scored.question < unit.questions.length
      if (scored?.kind === 'within_limits') return unit.checkOnly === true
      if (scored?.kind !== 'scored') return true
      return (
        unit.checkOnly !== true &&
        scored.questions.length === unit.questions.length &&
        unit.questions.every((question, at) => {
          const pass = scored.questions[at]
          const options = optionsOf(question)
          const reversed = unit.reverse && question.type === 'choice' && options > 1 ? options : undefined
          return pass?.logits.length === options && pass.reversed?.logits.length === reversed
        })
      )
    })
  if (!fits) throw new ScorerFailure('nonsense')
  if (answer.units.some(({ kind }) => kind === 'unknown_snapshot'))
    throw new ScorerFailure('unknown_snapshot')
  return answer
}

export const readHealth = (bytes: Uint8Array): ScorerHealth => read(Health, bytes)

const optionsOf = (question: UnitQuestion): number => {
  switch (question.type) {
    case 'choice':
      return question.options.length
    case 'noul':
      return question.sides.length
    case 'score':
      return question.levels.length
  }
}

const read = <S extends v.GenericSchema>(schema: S, bytes: Uint8Array): v.InferOutput<S> => {
  const result = v.safeParse(schema, parsed(bytes), { abortEarly: true })
  if (!result.success) throw new ScorerFailure('nonsense')
  return result.output
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(UTF8.decode(bytes))
  } catch {
    throw new ScorerFailure('nonsense')
  }
}
