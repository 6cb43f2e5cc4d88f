import type { ScoreUnit } from '../../protocol.ts'
import type { CacheKeys } from '../cache/cache-key.ts'
import { limitedParts, renderUnit } from '../rendering/unit.ts'
import { type Description, logitScale } from '../snapshot/description.ts'
import type { Tokenizer } from '../tokenizer/tokenizer.ts'
import type { PreparedPass, PreparedRequest, PreparedUnit } from './prepared.ts'
import { readScoreRequest } from './score-request.ts'

export type Reader = { readonly tokenizer: Tokenizer; readonly description: Description }

/** Does all the work on a body that needs no model. Pure, so it can run on any thread. */
export const prepare = (
  body: Uint8Array,
  readers: ReadonlyMap<string, Reader>,
  keys: CacheKeys,
): PreparedRequest => {
  const request = readScoreRequest(body)
  if ('error' in request) return request
  return { units: request.units.map(unit => prepareUnit(unit, readers.get(unit.snapshot), keys)) }
}

const prepareUnit = (unit: ScoreUnit, reader: Reader | undefined, keys: CacheKeys): PreparedUnit => {
  if (reader === undefined) return { kind: 'unknown_snapshot' }
  const { tokenizer, description } = reader
  const limited = limitedParts(unit, tokenizer, description.max_state_tokens)
  if ('kind' in limited) return limited
  if (unit.checkOnly) return { kind: 'within_limits' }
  const rendered = renderUnit(unit, limited, tokenizer)
  return {
    kind: 'ready',
    tenant: unit.tenant,
    snapshot: unit.snapshot,
    cacheKey: keys.keyOf(unit.tenant, unit.snapshot, rendered.state.ids),
    stateIds: rendered.state.ids,
    stateTokens: rendered.state.textTokens,
    stateFramingTokens: rendered.state.markers,
    questions: rendered.questions.map(({ question, rendered, focus }) => {
      const asked: PreparedPass = {
        question: {
          // Markers show where each part begins, so no two questions have the same tokens.
          key: keys.keyOf(unit.tenant, unit.snapshot, rendered.ids),
          instruction: rendered.instruction,
          options: rendered.options,
          optionInstructionIncluded: rendered.optionInstructionIncluded,
          focus,
          scale: logitScale(description.temperatures, question),
        },
        questionTokens: rendered.textTokens,
        framingTokens: rendered.markers,
      }
      const again = unit.reverse && question.type === 'choice' && question.options.length > 1
      return { asked, reversed: again ? reverseOptions(asked) : null }
    }),
  }
}

/** The same question with its options in reverse order. */
const reverseOptions = ({ question, ...counts }: PreparedPass): PreparedPass => ({
  ...counts,
  question: {
    ...question,
    key: `${question.key} reversed`,
    options: question.options.toReversed(),
    optionInstructionIncluded: question.optionInstructionIncluded.toReversed(),
  },
})
