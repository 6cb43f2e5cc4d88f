import type { ScoreUnit } from '../../protocol.ts'
import type { CacheKeys } from '../cache/cache-key.ts'
import { MAX_INSTRUCTION_TEXT_TOKENS, type RenderedQuestion, reverseOptions } from '../rendering/question.ts'
import { renderUnit, type TooLong } from '../rendering/unit.ts'
import { type Description, logitScale } from '../snapshot/description.ts'
import type { Tokenizer } from '../tokenizer/tokenizer.ts'
import type { AnsweredUnit, PreparedPass, PreparedRequest, PreparedUnit } from './prepared.ts'
import { readScoreRequest } from './score-request.ts'

export type Reader = { readonly tokenizer: Tokenizer; readonly description: Description }

/** Does all the work on a body that needs no model. Pure, so it can run on any thread. */
export const prepare = (
  body: Uint8Array,
  readers: ReadonlyMap<string, Reader>,
  keys: CacheKeys,
): PreparedRequest => {
  const read = readScoreRequest(body)
  if ('broken' in read) return { kind: 'broken', message: read.broken }
  return {
    kind: 'prepared',
    units: read.request.units.map(unit => prepareUnit(unit, readers.get(unit.snapshot), keys)),
  }
}

const prepareUnit = (unit: ScoreUnit, reader: Reader | undefined, keys: CacheKeys): PreparedUnit => {
  if (reader === undefined) return { kind: 'answered', answer: { kind: 'unknown_snapshot' } }
  const { tokenizer, description } = reader
  const limit = description.max_state_tokens
  const rendered = renderUnit(unit, tokenizer, limit)
  if ('tooLong' in rendered) return { kind: 'answered', answer: refusal(rendered, limit) }
  if (unit.checkOnly) return { kind: 'answered', answer: { kind: 'within_limits' } }
  return {
    kind: 'ready',
    tenant: unit.tenant,
    snapshot: unit.snapshot,
    cacheKey: keys.keyOf(unit.tenant, unit.snapshot, rendered.state.ids),
    stateIds: rendered.state.ids,
    stateTokens: rendered.state.textTokens,
    stateFramingTokens: rendered.state.markers,
    questions: rendered.questions.map(({ question, rendered, focus }) => {
      const scale = logitScale(description.temperatures, question)
      const pass = (one: RenderedQuestion): PreparedPass => ({
        question: {
          key: keys.keyOf(unit.tenant, unit.snapshot, idsOf(one)),
          instruction: one.instruction,
          options: one.options,
          optionInstructionIncluded: one.optionInstructionIncluded,
          focus,
          scale,
        },
        questionTokens: one.textTokens,
        framingTokens: one.markers,
      })
      const again = unit.reverse && question.type === 'choice' && question.options.length > 1
      return { asked: pass(rendered), reversed: again ? pass(reverseOptions(rendered)) : null }
    }),
  }
}

const refusal = (over: TooLong, stateLimit: number): AnsweredUnit['answer'] =>
  over.tooLong === 'state'
    ? { kind: 'state_too_long', limit: stateLimit }
    : { kind: 'instructions_too_long', question: over.question, limit: MAX_INSTRUCTION_TEXT_TOKENS }

/** Markers show where each part begins, so no two questions have the same tokens. */
const idsOf = ({ instruction, options }: RenderedQuestion): Int32Array => {
  const tokens = new Int32Array(options.reduce((sum, { length }) => sum + length, instruction.length))
  tokens.set(instruction)
  let at = instruction.length
  for (const option of options) {
    tokens.set(option, at)
    at += option.length
  }
  return tokens
}
