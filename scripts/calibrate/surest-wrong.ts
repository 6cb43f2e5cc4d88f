import type { Checked } from './checked.ts'
import type { Line } from './examples.ts'
import { named } from './table.ts'

const SHOWN = 20

/** Which lines of the file to look at first, question by question: on each, the model or the label is mistaken. */
export const surestWrong = (
  questions: readonly Checked[],
  lines: readonly Pick<Line, 'number'>[],
): string[] =>
  questions
    .filter(({ wrongExamples }) => wrongExamples.length > 0)
    .map(({ questionIds, verdict, wrongExamples }) => {
      const which = verdict === 'silent' ? 'wrong, though none was let through' : 'let through and wrong'
      return `${named(questionIds)}, ${which}, surest first: ${wrongLines(wrongExamples, lines)}`
    })

export const wrongLines = (examples: readonly number[], lines: readonly Pick<Line, 'number'>[]): string => {
  const numbers = [...new Set(examples.map(example => lines[example]?.number))]
  const others = numbers.length > SHOWN ? ` and ${numbers.length - SHOWN} more` : ''
  return `lines ${numbers.slice(0, SHOWN).join(', ')}${others}`
}
