import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { signatureOf } from '../decision/question-signature.ts'
import { readQuestion } from '../decision/questions.ts'
import { jsonObjectIn } from '../testing/json.ts'
import { calibrationAnswer, labelledExample } from './calibration-example.ts'

const [line = ''] = readFileSync('examples/support-tickets.jsonl', 'utf8').split('\n')

it('the documented example is the first line of the file it speaks of', () => {
  const { state, questions } = JSON.parse(line)
  expect(labelledExample).toEqual({ state, questions: { team: questions.team } })
})

it('the documented report is signed for the question of that example', () => {
  const { label, ...asked } = labelledExample.questions.team
  const question = readQuestion(jsonObjectIn(JSON.stringify(asked)), [])
  expect(Object.keys(asked.criteria)).toContain(label)
  expect(calibrationAnswer.questions[0]?.signature).toBe(signatureOf(question))
})
