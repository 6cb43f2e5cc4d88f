import type { TokenisedQuestion } from './backend.ts'

export const INSTRUCTION = -1

/** A stretch of rows: an instruction, an option, or one block of either. */
export type Segment = {
  readonly question: number
  /** The option's index, or INSTRUCTION. */
  readonly option: number
  readonly length: number
}

/** The segments of an instruction and of some of its options, all of them by default. */
export const segmentsOf = (
  { instruction, options }: TokenisedQuestion,
  question: number,
  chosen: Iterable<number> = options.keys(),
): Segment[] => [
  { question, option: INSTRUCTION, length: instruction.length },
  ...Array.from(chosen, option => ({ question, option, length: options[option]?.length ?? 0 })),
]
