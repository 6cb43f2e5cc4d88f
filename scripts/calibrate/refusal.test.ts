import { expect, it } from 'vitest'
import { explain } from './refusal.ts'

it('tells rule and line, and nothing that could steer a terminal', () => {
  const param = 'examples.7.questions.\u001b[2J\u202eid.label'
  const refused = {
    status: 422,
    code: 'invalid_schema',
    message: `${param} is required`,
    param,
  }
  const lines = Array.from({ length: 8 }, (_, example) => ({ number: example + 2 }))
  expect(explain(refused, lines)).toBe(
    '422 invalid_schema: examples.7.questions.\uFFFD[2J\uFFFDid.label is required (line 9 of the file)',
  )
})
