import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { signatureOf } from '../decision/question-signature.ts'
import { readQuestion } from '../decision/questions.ts'
import { isObject } from '../json/json.ts'
import { readJson } from '../json/reader.ts'
import { calibrationAnswer, labelledExample } from './calibration-example.ts'

const [line = ''] = readFileSync('examples/support-tickets.jsonl', 'utf8').split('\n')

it('the documented example is the first line of the file it speaks of', () => {
  const { state, questions } = JSON.parse(line)
  expect(labelledExample).toEqual({ state, questions: { team: questions.team } })
})

it('the documented report is signed for the question of that example', () => {
  const { label, ...asked } = labelledExample.questions.team
  const question = readJson(JSON.stringify(asked))
  if (question.kind !== 'read' || !isObject(question.value)) throw new Error('a question is an object')
  expect(Object.keys(asked.criteria)).toContain(label)
  expect(calibrationAnswer.questions[0]?.signature).toBe(signatureOf(readQuestion(question.value, [])))
})
