import { expect, it } from 'vitest'
import { isObject } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { reportOf } from './report.ts'

it('reads what the profile answers, what the out-of-fold check counted, and the warnings', () => {
  const after = { n: 240, coverage: 0.925, coverage_at_target_error: 153 / 240, error_when_covered: 7 / 153 }
  const answer = { questions: [{ after, curves: { commonest_label: 0.8375 } }], warnings: ['danger: look'] }
  const reading = readJson(JSON.stringify(answer))
  if (reading.kind === 'refused' || !isObject(reading.value)) throw new Error('an answer is an object')
  expect(reportOf(reading.value)).toMatchObject({
    questions: [
      {
        after: { coverage: 0.925, outOfFold: { answered: 153, wrong: 7 } },
        curves: { commonestLabel: 0.8375 },
      },
    ],
    warnings: ['danger: look'],
  })
})
