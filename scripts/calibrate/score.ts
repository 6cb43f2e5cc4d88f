import { inColumns, legible } from '../terminal.ts'
import { answersTo } from './answered.ts'
import { type Scored, scored } from './checked.ts'
import type { ScoreOptions } from './options.ts'
import { wrongLines } from './surest-wrong.ts'
import { named, percent } from './table.ts'

/** Prints how often the answers to each question are right, however few labels there are. */
export const scoreAnswers = async (options: ScoreOptions): Promise<void> => {
  const { lines, examples, decisions, took } = await answersTo(options)
  const found = scored(examples, decisions)
  console.log(scoreTable(decisions[0]?.model ?? '', found))
  for (const { questionIds, wrongExamples } of found)
    if (wrongExamples.length > 0)
      console.log(`\n${named(questionIds)}, wrong, surest first: ${wrongLines(wrongExamples, lines)}`)
  console.log(`\n${took}`)
}

const HEAD = ['question', 'labels', 'accuracy', 'commonest label', 'log loss']

const scoreTable = (model: string, questions: readonly Scored[]): string =>
  `${legible(model)}, without a profile\n\n${inColumns([HEAD, ...questions.map(rowOf)])}`

const rowOf = ({ questionIds, labels, accuracy, commonestLabel, nll }: Scored): string[] => [
  named(questionIds),
  String(labels),
  percent(accuracy),
  percent(commonestLabel),
  nll.toFixed(3),
]
