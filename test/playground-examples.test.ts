// Asks the service every example of the playground: each answer must be the one recorded with it.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonObjectIn } from '../src/testing/json.ts'
import { decisionOf } from '../web/src/service/decision.ts'
import { requestDecision } from './request-decision.ts'

const FOLDER = join(import.meta.dirname, '..', 'web/src/playground/examples')

/** `answers` holds what a person would answer, as the page words it, or null where nobody can know. */
const EXAMPLES = globSync('*.json', { cwd: FOLDER }).map(file => ({
  name: basename(file, '.json'),
  ...(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as {
    state: unknown
    questions: object
    answers: object
  }),
}))

const decide = async (state: unknown, questions: object) => {
  const response = await requestDecision({ state, questions })
  return decisionOf(jsonObjectIn(await response.text()), false)
}

describe('the examples of the playground', () => {
  it.each(EXAMPLES)(
    'are answered rightly and surely, or unsurely where nobody can know: $name',
    async example => {
      const { verdicts } = await decide(example.state, example.questions)
      const said = verdicts.map(({ id, headline, unsure }) => [id, unsure ? null : headline])
      expect(Object.fromEntries(said)).toEqual(example.answers)
    },
  )
})
