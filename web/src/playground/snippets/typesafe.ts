import { systemone } from '../../../../src/dialects/systemone/systemone.ts'
import type { Json, JsonObject } from '../../../../src/json/json.ts'
import { canonicalQuestions } from './questions.ts'
import { literal, notesOn } from './typescript.ts'

/** What `/v1/systemone` calls the fields that TypeSafe's own API does not have. */
const OURS: ReadonlyMap<string, string> = new Map([
  ['calibration', 'x_calibration'],
  ['order_invariant', 'x_order_invariant'],
])

export const typesafe = (request: JsonObject, origin: string): string => {
  const body = new Map<string, Json>([...request].map(([name, value]) => [OURS.get(name) ?? name, value]))
  body.set('questions', canonicalQuestions(request))
  // The SDK would fill in a model name of its own.
  if (!body.has('model')) body.set('model', 'decider-1')
  // Throws what that API would refuse: a state that is a number, for example.
  systemone.read(body)
  const beyond = [...OURS.values()].some(name => body.has(name))
  const note = beyond ? '// Fields beyond TypeSafe’s own need a cast in TypeScript.\n' : ''
  return `import { TypeSafeClient } from '@typesafe-ai/sdk'

const client = new TypeSafeClient({
  baseURL: '${origin}',
  apiKey: process.env.DECIDER_API_KEY ?? '',
})

${notesOn(body)}${note}const { answers } = await client.systemOne(${literal(body)}${beyond ? ' as never' : ''})

console.log(answers)
`
}
