import { DEFAULT_MODEL } from '../../../../src/decision/request.ts'
import { systemone } from '../../../../src/dialects/systemone/systemone.ts'
import { type JsonObject, objectOf } from '../../../../src/json/json.ts'
import { canonicalQuestions } from './questions.ts'
import { literal, notesOn } from './typescript.ts'

export const typesafe = (request: JsonObject, origin: string): string => {
  const theirs = objectOf({
    // The SDK would fill in a model name of its own.
    model: request.get('model') ?? DEFAULT_MODEL,
    state: request.get('state'),
    questions: canonicalQuestions(request),
  })
  const ours = objectOf({
    x_calibration: request.get('calibration'),
    x_order_invariant: request.get('order_invariant'),
  })
  // Throws what that API would refuse: a state that is a number, for example.
  systemone.read(new Map([...theirs, ...ours]))
  return `import { TypeSafeClient } from '@typesafe-ai/sdk'

const client = new TypeSafeClient({
  baseURL: '${origin}',
  apiKey: process.env.DECIDER_API_KEY ?? '',
})

${notesOn(theirs)}${call(theirs, ours)}

${ours.has('x_calibration') ? LET_THROUGH : 'console.log(answers)'}
`
}

/** The SDK types its answers by the questions in the call, so no cast may come between them. */
const call = (theirs: JsonObject, ours: JsonObject): string => {
  const start = 'const { answers } = await client.systemOne('
  if (ours.size === 0) return `${start}${literal(theirs)})`
  return `// Fields beyond TypeSafe’s own: the SDK sends them, and its types let them pass in a spread.
const ours = ${literal(ours)}
${start}${literal(theirs).replace('{', '{\n  ...ours,')})`
}

const LET_THROUGH = `for (const [id, answer] of Object.entries(answers)) {
  // The SDK’s types end at TypeSafe’s own fields.
  const { x_decider } = answer as typeof answer & { x_decider: { abstain: boolean | null } }
  if (x_decider.abstain === null) console.log(id, 'The profile does not cover this question.')
  else console.log(id, x_decider.abstain === false ? answer : 'A person should look at this.')
}`
