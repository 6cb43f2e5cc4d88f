import type { TokenisedQuestion } from './backend.ts'

export const INSTRUCTION = -1

/** A stretch of rows that are an instruction or an option, or one block of it. */
export type Segment = {
  readonly question: number
  /** The option's index, or INSTRUCTION. */
  readonly option: number
  readonly length: number
}

/** An instruction and some of the options it is told to. */
export const segmentsOf = (
  { instruction, options }: TokenisedQuestion,
  question: number,
  chosen: Iterable<number> = options.keys(),
): Segment[] => [
  { question, option: INSTRUCTION, length: instruction.length },
  ...Array.from(chosen, option => ({ question, option, length: options[option]?.length ?? 0 })),
]
