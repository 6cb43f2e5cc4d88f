import { MAX_INSTRUCTION_TOKENS } from '../../backend/backend.ts'
import type { ScoreUnit } from '../../protocol.ts'
import type { CacheKeys } from '../cache/cache-key.ts'
import type { Range } from '../rendering/focus.ts'
import { type RenderedQuestion, reverseOptions } from '../rendering/question.ts'
import { renderUnit } from '../rendering/unit.ts'
import { type Description, logitScale } from '../snapshot/description.ts'
import type { Tokenizer } from '../tokenizer/tokenizer.ts'
import type { PreparedPass, PreparedRequest, PreparedUnit } from './prepared.ts'
import { readScoreRequest } from './score-request.ts'

export type Reader = { readonly tokenizer: Tokenizer; readonly description: Description }

/** Takes a body as far as it goes without the model. Pure: it runs on any thread. */
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
  if (reader === undefined) return { kind: 'refused', answer: { kind: 'unknown_snapshot' } }
  const { tokenizer, description } = reader
  const limit = description.max_state_tokens
  const rendered = renderUnit(unit, tokenizer, limit)
  if (rendered === null) return { kind: 'refused', answer: { kind: 'state_too_long', limit } }
  const tooLong = rendered.questions.findIndex(
    ({ rendered: { instruction } }) => instruction.length > MAX_INSTRUCTION_TOKENS,
  )
  if (tooLong >= 0) {
    const answer = {
      kind: 'instructions_too_long',
      question: tooLong,
      limit: MAX_INSTRUCTION_TOKENS,
    } as const
    return { kind: 'refused', answer }
  }
  return {
    kind: 'ready',
    tenant: unit.tenant,
    snapshot: unit.snapshot,
    cacheKey: keys.keyOf(unit.tenant, unit.snapshot, rendered.state.ids),
    stateIds: rendered.state.ids,
    stateTokens: rendered.state.textTokens,
    stateFramingTokens: rendered.state.markers,
    questions: unit.questions.flatMap((question, index) => {
      const found = rendered.questions[index]
      if (found === undefined) return []
      const scale = logitScale(description.temperatures, question)
      const asked = preparePass(found.rendered, found.focus, scale)
      const again = unit.reverse && question.type === 'choice' && question.options.length > 1
      return [
        { asked, reversed: again ? preparePass(reverseOptions(found.rendered), found.focus, scale) : null },
      ]
    }),
  }
}

const preparePass = (rendered: RenderedQuestion, focus: readonly Range[], scale: number): PreparedPass => {
  const { instruction, options, optionInstructionIncluded, textTokens, markers } = rendered
  return {
    question: { instruction, options, optionInstructionIncluded, focus, scale },
    questionTokens: textTokens,
    framingTokens: markers,
  }
}
