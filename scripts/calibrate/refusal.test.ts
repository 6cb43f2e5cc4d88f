import { expect, it } from 'vitest'
import { linesOf } from './examples.ts'
import { explain, lineIn } from './refusal.ts'

it('tells rule and line, and nothing that could steer a terminal', () => {
  const message = 'questions.\u001b[2J\u202eid.label is required'
  expect(explain({ status: 422, code: 'invalid\u001b[2J', message }, 9)).toBe(
    'Line 9: 422 invalid\uFFFD[2J: questions.\uFFFD[2J\uFFFDid.label is required',
  )
  expect(explain({ status: 401, code: 'invalid_api_key', message: 'no' }, undefined)).toBe(
    '401 invalid_api_key: no',
  )
})

it('finds the line of the example that a refusal names', () => {
  const lines = linesOf('{}\n\n{}')
  expect(lineIn('examples.1.state', lines)).toBe(3)
  expect(['examples.2.state', 'examples', null].map(param => lineIn(param, lines))).toEqual(
    Array(3).fill(undefined),
  )
})
