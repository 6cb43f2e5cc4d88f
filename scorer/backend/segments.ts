import type { TokenisedQuestion } from './backend.ts'

export const INSTRUCTION = -1

/** A stretch of rows that are an instruction or an option, or one block of it. */
export type Segment = {
  readonly question: number
  /** The option's index, or INSTRUCTION. */
  readonly option: number
  readonly start: number
  readonly length: number
  /** Whether it is the block in which the option opens. */
  readonly opens: boolean
}

/** Segments that lie one after the other. */
export const inTurn = (segments: readonly Omit<Segment, 'start'>[]): Segment[] => {
  let end = 0
  return segments.map(segment => {
    const start = end
    end += segment.length
    return { ...segment, start }
  })
}

/** An instruction and some of the options it is told to. */
export const segmentsOf = (
  { instruction, options }: TokenisedQuestion,
  question: number,
  chosen: Iterable<number> = options.keys(),
): Omit<Segment, 'start'>[] => [
  { question, option: INSTRUCTION, length: instruction.length, opens: false },
  ...Array.from(chosen, option => ({ question, option, length: options[option]?.length ?? 0, opens: true })),
]
