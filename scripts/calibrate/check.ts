import { readFile } from 'node:fs/promises'
import { withoutLabels } from '../../src/calibration/examples-file.ts'
import { type Example, readExamples } from '../../src/calibration/request.ts'
import { objectOf } from '../../src/json/json.ts'
import { compact } from '../../src/json/writer.ts'
import { PROBLEMS, Problem } from '../../src/problem.ts'
import { decideAll } from './ask.ts'
import { checkTable } from './check-table.ts'
import { checked } from './checked.ts'
import { cost } from './cost.ts'
import { type Line, readLines } from './examples.ts'
import type { CheckOptions } from './options.ts'
import { progressOn } from './progress.ts'
import { explain, lineIn } from './refusal.ts'
import { surestWrong } from './surest-wrong.ts'

/** Prints how a profile does on fresh labels, which stay here. True if a question calls for another fit. */
export const checkProfile = async (options: CheckOptions): Promise<boolean> => {
  const { targetError, model } = options
  const lines = await readLines(options.file)
  const examples = examplesOn(lines)
  // An editor may have ended the line.
  const calibration = (await readFile(options.profile, 'utf8')).trim()
  const cases = lines.map(({ example, number }) => ({
    body: compact(objectOf({ ...withoutLabels(example), calibration, model: model ?? undefined })),
    line: number,
  }))

  const progress = progressOn(process.stderr)
  const start = performance.now()
  const decisions = await decideAll(options, cases, progress).finally(progress.end)
  const seconds = (performance.now() - start) / 1_000

  const found = checked(examples, decisions, targetError)
  console.log(checkTable(decisions[0]?.model ?? '', targetError, found))
  for (const said of surestWrong(found, lines)) console.log(`\n${said}`)
  const usage = {
    input_tokens: decisions.reduce((sum, decision) => sum + decision.usage.input_tokens, 0),
    cost_usd: decisions.reduce((sum, decision) => sum + decision.usage.cost_usd, 0),
  }
  console.log(`\n${cost(lines.length, seconds, usage)}`)
  return found.some(({ verdict }) => verdict === 'breaks' || verdict === 'not covered')
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
