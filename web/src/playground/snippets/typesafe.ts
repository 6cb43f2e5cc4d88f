import type { Json, JsonObject } from '../../../../src/json/json.ts'
import { literal, losesOrder, ORDER_NOTE } from './typescript.ts'

export const typesafe = (request: JsonObject, origin: string): string => {
  const body = new Map<string, Json>(request)
  // The SDK would fill in a model name of its own.
  if (!body.has('model')) body.set('model', 'decider-1')
  return `import { TypeSafeClient } from '@typesafe-ai/sdk'

const client = new TypeSafeClient({
  baseURL: '${origin}',
  apiKey: process.env.DECIDER_API_KEY,
})

${losesOrder(request) ? ORDER_NOTE : ''}const { answers } = await client.systemOne(${literal(body)})

console.log(answers)
`
}
