import { withoutLabels } from '../../src/calibration/examples-file.ts'
import { type Example, readExamples } from '../../src/calibration/request.ts'
import { objectOf } from '../../src/json/json.ts'
import { compact } from '../../src/json/writer.ts'
import { PROBLEMS, Problem } from '../../src/problem.ts'
import { type Decision, decideAll } from './ask.ts'
import { cost } from './cost.ts'
import { type Line, readLines } from './examples.ts'
import type { CheckOptions, ScoreOptions } from './options.ts'
import { progressOn } from './progress.ts'
import { explain, lineIn } from './refusal.ts'

/** Labelled examples, what the service decides about each, and in a sentence what that took. The labels stay here. */
type Answered = {
  lines: readonly Line[]
  examples: readonly Example[]
  decisions: readonly Decision[]
  took: string
}

export const answersTo = async (
  options: CheckOptions | ScoreOptions,
  calibration?: string,
): Promise<Answered> => {
  const lines = await readLines(options.file)
  const examples = examplesOn(lines)
  const model = options.model ?? undefined
  const cases = lines.map(({ example, number }) => ({
    body: compact(objectOf({ ...withoutLabels(example), calibration, model })),
    line: number,
  }))
  const progress = progressOn(process.stderr)
  const start = performance.now()
  const decisions = await decideAll(options, cases, progress).finally(progress.end)
  const seconds = (performance.now() - start) / 1_000
  const usage = {
    input_tokens: decisions.reduce((sum, decision) => sum + decision.usage.input_tokens, 0),
    cost_usd: decisions.reduce((sum, decision) => sum + decision.usage.cost_usd, 0),
  }
  return { lines, examples, decisions, took: cost(lines.length, seconds, usage) }
}

/** Refuses what the service would, as far as it can be told without the model, before anything is paid for. */
const examplesOn = (lines: readonly Line[]): readonly Example[] => {
  try {
    return readExamples(lines.map(({ example }) => example))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message, param = null } = error
    throw new Error(explain({ status: PROBLEMS[code].status, code, message }, lineIn(param, lines)))
  }
}
