import { MAX_INSTRUCTION_TOKENS } from '../../backend/backend.ts'
import type { UnitQuestion } from '../../protocol.ts'
import type { Tokenizer, Tokens } from '../tokenizer/tokenizer.ts'
import { CLOSE, END_OF_INSTRUCTIONS, END_OF_QUESTION, OPEN, TYPE } from './markers.ts'
import { optionName } from './option-name.ts'
import { TokenStream } from './token-stream.ts'

export type RenderedQuestion = {
  /**
   * All tokens. What follows are views of them: a message copies a thousand views of one buffer as fast as one, which
   * is not so for separate buffers.
   */
  readonly ids: Int32Array
  /** TYPE, instruction tokens, END_OF_INSTRUCTIONS, END_OF_QUESTION. */
  readonly instruction: Int32Array
  /** OPEN, option tokens, CLOSE of each option. */
  readonly options: readonly Int32Array[]
  /** The true side of a noul is compared with the state together with the statement itself. */
  readonly optionInstructionIncluded: readonly boolean[]
  readonly textTokens: number
  readonly markers: number
}

/** Markers around an instruction's tokens. */
const INSTRUCTION_MARKERS = 3
/** The text tokens that this leaves. */
export const MAX_INSTRUCTION_TEXT_TOKENS = MAX_INSTRUCTION_TOKENS - INSTRUCTION_MARKERS

/** The tokens of a question's instructions, or null as soon as they prove more than the model reads. */
export const encodeInstructions = ({ instructions }: UnitQuestion, tokenizer: Tokenizer): Tokens | null =>
  encode(tokenizer, instructions, MAX_INSTRUCTION_TEXT_TOKENS)

/** A question as tokens. */
export const renderQuestion = (
  question: UnitQuestion,
  instructions: Tokens,
  tokenizer: Tokenizer,
): RenderedQuestion => {
  const stream = new TokenStream()
    .mark(TYPE[question.type])
    .text(instructions)
    .mark(END_OF_INSTRUCTIONS)
    .mark(END_OF_QUESTION)
  const firstOption = stream.length
  const isKnownWord = (word: string) => tokenizer.encode(word, { limit: 1 }) !== null
  const ends = optionsOf(question, isKnownWord).map(
    ({ open, text }) =>
      stream
        .mark(open)
        .text(encode(tokenizer, text) ?? NOTHING)
        .mark(CLOSE).length,
  )
  const ids = stream.build()
  return {
    ids,
    instruction: ids.subarray(0, firstOption),
    options: ends.map((end, index) => ids.subarray(ends[index - 1] ?? firstOption, end)),
    optionInstructionIncluded: ends.map((_, index) => question.type === 'noul' && index === 0),
    textTokens: stream.textTokens,
    markers: stream.markers,
  }
}

type Option = { open: number; text: string | null }

const optionsOf = (question: UnitQuestion, isKnownWord: (word: string) => boolean): Option[] => {
  switch (question.type) {
    case 'choice':
      return question.options.map(([key, description]) => {
        const name = optionName(key, isKnownWord)
        return { open: OPEN.choice, text: description === null ? name : `${name}: ${description}` }
      })
    case 'noul':
      return question.sides.map((text, side) => ({ open: OPEN.noul[side === 0 ? 0 : 1], text }))
    case 'score':
      return question.levels.map(text => ({ open: OPEN.score, text }))
  }
}

const NOTHING: Tokens = { ids: new Int32Array(), spans: null }

const encode = (
  tokenizer: Tokenizer,
  text: string | null,
  limit = Number.POSITIVE_INFINITY,
): Tokens | null => (text === null ? NOTHING : tokenizer.encode(text, { limit }))
